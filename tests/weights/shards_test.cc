#include "src/weights/shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/weights/model_folder.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Shards : public testing::Test {
 protected:
  Shards() : folder_(TemporaryPath("shards")) {
    MakeFolder(folder_);
    WriteShard("one.safetensors", {"a", "b"});
    WriteShard("two.safetensors", {"c"});
  }
  ~Shards() override { fs::remove_all(folder_); }

  // Each weight holds its name's letter.
  void WriteShard(const std::string& file,
                  const std::vector<std::string>& names) const {
    std::vector<float> values;
    for (const std::string& name : names)
      values.push_back(static_cast<float>(name[0]));
    std::vector<NamedTensor> tensors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      tensors.push_back({names[i],
                         ElementType::kFloat32,
                         {1},
                         std::as_bytes(std::span(values).subspan(i, 1))});
    }
    WriteSafetensors(folder_ / file, tensors);
  }

  std::shared_ptr<const WeightSource> Open(const std::string& map) const {
    const fs::path index = folder_ / "model.safetensors.index.json";
    WriteFileAtomically(index, R"({"metadata": {"total_size": 12}, )"
                               R"("weight_map": )" +
                                   map + "}");
    return OpenWeights(folder_ / "model.safetensors");
  }

  std::string ErrorOf(const std::string& map) const {
    try {
      Open(map);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(folder_.string()));
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(Shards, AreOneSource) {
  const auto source = Open(
      R"({"a": "one.safetensors", "c": "two.safetensors", "b": "one.safetensors"})");
  EXPECT_THAT(source->Names(), UnorderedElementsAre("a", "b", "c"));
  for (const char* name : {"a", "b", "c"}) {
    float value = 0;
    CopyAsFloat(source->Find(name).value(), {&value, 1});
    EXPECT_EQ(value, static_cast<float>(name[0]));
  }
  EXPECT_THAT(source->Where("c"), HasSubstr("two.safetensors"));
  EXPECT_THAT(source->Where("x"), HasSubstr("index.json"));
  EXPECT_FALSE(source->Find("x").has_value());
}

TEST_F(Shards, AnIndexThatLiesIsAnErrorThatNamesEverything) {
  EXPECT_THAT(
      ErrorOf(R"({"a": "one.safetensors", "b": "two.safetensors",)"
              R"( "d": "three.safetensors", "e": "three.safetensors"})"),
      AllOf(HasSubstr("'three.safetensors' is missing, and with it 'd', 'e'"),
            HasSubstr("'b' is not in 'two.safetensors' but in "
                      "'one.safetensors'"),
            HasSubstr("'c' of 'two.safetensors' is not listed")));
  EXPECT_THAT(ErrorOf(R"({"a": "one.safetensors", "x": "one.safetensors"})"),
              HasSubstr("'x' is not in 'one.safetensors'"));
  WriteShard("two.safetensors", {"a", "c"});
  EXPECT_THAT(ErrorOf(R"({"a": "one.safetensors", "b": "one.safetensors",)"
                      R"( "c": "two.safetensors"})"),
              HasSubstr("'a' is in two shards"));
  WriteFileAtomically(folder_ / "two.safetensors", "<html>");
  EXPECT_THAT(ErrorOf(R"({"a": "one.safetensors", "b": "one.safetensors",)"
                      R"( "c": "two.safetensors"})"),
              AllOf(HasSubstr("two.safetensors"), HasSubstr("web page")));
}

TEST_F(Shards, APathThatLeavesTheFolderIsRefused) {
  WriteShard("../escaped.safetensors", {"a"});
  for (const char* path : {"../escaped.safetensors", "/etc/passwd", "..", ".",
                           "", "x/y", "a\\\\b", "one.safetensors\\u0000"}) {
    EXPECT_THAT(ErrorOf(std::string(R"({"a": ")") + path + "\"}"),
                HasSubstr("no file beside the index"))
        << path;
  }
  fs::remove(folder_ / "../escaped.safetensors");
}

TEST(ShardIndex, WhatIsNone) {
  const auto error_of = [](const std::string& json) -> std::string {
    try {
      ParseShardIndex(json, "index");
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("index: "));
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of(R"({"weight_map": {"a": "x", "a": "y"}})"),
              HasSubstr("'a' is listed twice"));
  EXPECT_THAT(error_of(R"({"weight_map": {}, "weight_map": {}})"),
              HasSubstr("twice"));
  EXPECT_THAT(error_of(R"({"weight_map": {"a": 3}})"), HasSubstr("a number"));
  EXPECT_THAT(error_of(R"({"weight_map": {"a": {"b": "x"}}})"),
              HasSubstr("an object"));
  EXPECT_THAT(error_of(R"({"weight_map": {"a": ["x"]}})"), HasSubstr("a list"));
  EXPECT_THAT(error_of(R"({"weight_map": "x"})"), HasSubstr("weight_map is"));
  EXPECT_THAT(error_of(R"({"weight_map": []})"), testing::Not("no error"));
  EXPECT_THAT(error_of(R"({"metadata": {"weight_map": {"a": "x"}}})"),
              HasSubstr("weight_map is missing"));
  EXPECT_THAT(error_of("[]"), HasSubstr("list"));
  EXPECT_THAT(error_of("{"), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("version https://git-lfs.github.com/spec/v1\n"),
              HasSubstr("Git LFS pointer"));
  EXPECT_EQ(ParseShardIndex(
                R"({"x": [1, {"y": null}], "weight_map": {"a": "f"}})", "index")
                .at("a"),
            "f");
}

}  // namespace
}  // namespace keylens
