#include "src/weights/name_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/weights/name_pattern.h"

namespace keylens {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<MemorySource> SourceOf(const std::vector<std::string>& names) {
  auto source = std::make_shared<MemorySource>("f");
  float value = 0;
  for (const std::string& name : names)
    source->Add(name, {1}, {&(value += 1), 1});
  return source;
}

TEST(NamePattern, PlaceholdersStandForParts) {
  const NameRule rule = {"encoder.layer.{i}.attention.{part}.{*}",
                         "layers.{i}.{part}.{*}"};
  EXPECT_EQ(Renamed(rule, "encoder.layer.11.attention.query.weight"),
            "layers.11.query.weight");
  EXPECT_EQ(Renamed(rule, "encoder.layer.0.attention.output.dense.bias"),
            "layers.0.output.dense.bias");
  for (const char* name :
       {"encoder.layer.01.attention.query.weight",
        "encoder.layer.x.attention.query.weight", "encoder.layer.1.attention",
        "encoder.layer..attention.query.weight", "",
        "xencoder.layer.1.attention.query.weight"})
    EXPECT_EQ(Renamed(rule, name), std::nullopt) << name;
}

TEST(NamePattern, AnythingMayBeNothingAndGivesBack) {
  EXPECT_TRUE(FitsPattern("{*}.position_ids", "a.b.position_ids"));
  EXPECT_TRUE(FitsPattern("{*}position_ids", "position_ids"));
  EXPECT_FALSE(FitsPattern("{*}.position_ids", "position_ids"));
  EXPECT_EQ(Renamed({"{*}.q.{*}", "{*}.query.{*}"}, "a.q.b.q.c"),
            "a.query.b.q.c");
  EXPECT_FALSE(FitsPattern("{*}x{*}", std::string(100'000, 'a')));
}

TEST(NamePattern, BadlyMadeRulesAreRefused) {
  for (const char* pattern : {"a{", "a}", "{}", "{i}{i}", "{*}{*}{*}", "{i"})
    EXPECT_THROW(FitsPattern(pattern, "x"), std::invalid_argument) << pattern;
  EXPECT_THROW(Renamed({"{i}", "{j}"}, "1"), std::invalid_argument);
  EXPECT_THROW(Renamed({"{*}", "{*}{*}"}, "1"), std::invalid_argument);
}

TEST(MappedSource, RenamesIgnoresAndKeepsTheRest) {
  const MappedSource mapped(
      SourceOf({"old.1.w", "other", "x.position_ids"}),
      {.rules = {{"old.{i}.w", "new.{i}.w"}}, .ignored = {"{*}.position_ids"}});
  EXPECT_THAT(mapped.Names(), ElementsAre("new.1.w", "other"));
  EXPECT_THAT(mapped.ignored(), ElementsAre("x.position_ids"));
  EXPECT_THAT(mapped.Find("new.1.w")->place, HasSubstr("'old.1.w'"));
  EXPECT_FALSE(mapped.Find("old.1.w").has_value());
}

TEST(MappedSource, TransposesReshapesAndParts) {
  auto source = std::make_shared<MemorySource>("f");
  std::vector<float> values(12), out(4);
  std::iota(values.begin(), values.end(), 0.0f);
  source->Add("qkv", {6, 2}, values);
  source->Add("conv", {4, 3, 1, 1}, values);
  source->Add("kernel", {3, 4}, values);
  const MappedSource mapped(source,
                            {.rules = {{"qkv", "q", false, {}, 0, 3},
                                       {"qkv", "k", false, {}, 1, 3},
                                       {"qkv", "v", true, {}, 2, 3},
                                       {"conv", "linear", false, {4, -1}},
                                       {"kernel", "weight", true}}});
  EXPECT_THAT(mapped.Names(), ElementsAre("k", "linear", "q", "v", "weight"));
  CopyAsFloat(*mapped.Find("k"), out);
  EXPECT_THAT(out, ElementsAre(4, 5, 6, 7));
  CopyAsFloat(*mapped.Find("v"), out);
  EXPECT_THAT(out, ElementsAre(8, 10, 9, 11));
  EXPECT_THAT(mapped.Find("linear")->shape, ElementsAre(4, 3));
  EXPECT_THAT(mapped.Find("weight")->shape, ElementsAre(4, 3));
}

TEST(MappedSource, WhatCannotBeDoneNamesFileAndTensor) {
  auto source = std::make_shared<MemorySource>("f");
  const std::vector<float> values(12);
  source->Add("w", {4, 3}, values);
  for (const NameRule& rule :
       {NameRule{"w", "x", false, {5, -1}}, NameRule{"w", "x", false, {-1, -1}},
        NameRule{"w", "x", false, {2, 2}}, NameRule{"w", "x", true, {12}},
        NameRule{"w", "x", false, {}, 0, 3},
        NameRule{"w", "x", false, {}, 4, 4},
        NameRule{"w", "x", false, {}, 0, 0}}) {
    try {
      MappedSource(source, {.rules = {rule}});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("f: tensor 'w'"), HasSubstr("cannot be")));
    }
  }
}

TEST(MappedSource, TiedWeightsAreOneAndOthersCollide) {
  auto tied = std::make_shared<MemorySource>("f");
  const std::vector<float> one = {1}, two = {2};
  tied->Add("shared.weight", {1}, one);
  tied->Add("lm_head.weight", {1}, one);
  const NameMap map = {.rules = {{"shared.weight", "embedding.weight"},
                                 {"lm_head.weight", "embedding.weight"}}};
  EXPECT_THAT(MappedSource(tied, map).Names(), ElementsAre("embedding.weight"));
  tied->Add("lm_head.weight", {1}, two);
  try {
    MappedSource(tied, map);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(
        error.what(),
        AllOf(HasSubstr("'shared.weight'"), HasSubstr("'lm_head.weight'"),
              HasSubstr("'embedding.weight', and differ")));
  }
}

// The names that published checkpoints have, shortened to one of each kind: a
// map is enough for each.
TEST(MappedSource, IsEnoughForTheNamesOfPublishedCheckpoints) {
  const MappedSource vit(
      SourceOf({"vit.embeddings.cls_token",
                "vit.encoder.layer.3.attention.attention.query.weight",
                "vit.encoder.layer.3.attention.output.dense.bias",
                "vit.encoder.layer.3.intermediate.dense.weight",
                "vit.encoder.layer.3.output.dense.weight",
                "vit.encoder.layer.3.layernorm_before.bias",
                "vit.layernorm.weight", "classifier.bias"}),
      {.rules = {{"vit.embeddings.{x1}", "{x1}"},
                 {"vit.encoder.layer.{i}.attention.attention.{x1}.{x2}",
                  "encoder.layers.{i}.attention.{x1}.{x2}"},
                 {"vit.encoder.layer.{i}.attention.output.dense.{x2}",
                  "encoder.layers.{i}.attention.output.{x2}"},
                 {"vit.encoder.layer.{i}.intermediate.dense.{x2}",
                  "encoder.layers.{i}.linear1.{x2}"},
                 {"vit.encoder.layer.{i}.output.dense.{x2}",
                  "encoder.layers.{i}.linear2.{x2}"},
                 {"vit.encoder.layer.{i}.layernorm_before.{x2}",
                  "encoder.layers.{i}.norm1.{x2}"},
                 {"vit.layernorm.{x2}", "encoder.norm.{x2}"}}});
  EXPECT_THAT(
      vit.Names(),
      ElementsAre("classifier.bias", "cls_token",
                  "encoder.layers.3.attention.output.bias",
                  "encoder.layers.3.attention.query.weight",
                  "encoder.layers.3.linear1.weight",
                  "encoder.layers.3.linear2.weight",
                  "encoder.layers.3.norm1.bias", "encoder.norm.weight"));

  // Stable Diffusion's single file, in two steps: where a block is, then what
  // its parts are called.
  const auto blocks = std::make_shared<MappedSource>(
      std::make_shared<PrefixedSource>(
          SourceOf({"model.diffusion_model.input_blocks.1.0.in_layers.0.weight",
                    "model.diffusion_model.input_blocks.3.0.op.bias",
                    "model.diffusion_model.input_blocks.1.1.proj_in.weight",
                    "first_stage_model.quant_conv.bias", "betas"}),
          "model.diffusion_model."),
      NameMap{{{"input_blocks.1.0.{*}", "down_blocks.0.resnets.0.{*}"},
               {"input_blocks.1.1.{*}", "down_blocks.0.attentions.0.{*}"},
               {"input_blocks.3.0.op.{x1}",
                "down_blocks.0.downsamplers.0.conv.{x1}"}}});
  const MappedSource unet(
      blocks,
      {{{"{*}.resnets.{i}.in_layers.0.{x1}", "{*}.resnets.{i}.norm1.{x1}"}}});
  EXPECT_THAT(unet.Names(),
              ElementsAre("down_blocks.0.attentions.0.proj_in.weight",
                          "down_blocks.0.downsamplers.0.conv.bias",
                          "down_blocks.0.resnets.0.norm1.weight"));
}

}  // namespace
}  // namespace keylens
