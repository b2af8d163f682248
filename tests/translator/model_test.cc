// The translator's network and its files.

#include "src/models/keylens_translator/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/training/model_files.h"
#include "systems/translator/training/train.h"
#include "systems/translator/translation_model.h"
#include "tests/translator/tiny_translator.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TranslatorConfig SmallConfig() { return TinyRun("", "", 1).training.config; }

TEST(TranslatorModel, HasOneTableOfEmbeddingsForAllUses) {
  const TranslatorModel model(TranslatorConfig{});
  int64_t count = 0;
  for (const torch::Tensor& parameter : model->parameters())
    count += parameter.numel();
  EXPECT_EQ(count, 8000 * 256 + 6 * 789760 + 3 * 1053440 + 2 * 512);
}

TEST(TranslatorModel, PaddingChangesNothing) {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  TranslatorModel model(SmallConfig());
  const torch::Tensor source = torch::randint(4, 400, {1, 5}, torch::kLong);
  const torch::Tensor target = torch::randint(4, 400, {1, 3}, torch::kLong);
  const torch::Tensor alone =
      model->DecodeTarget(target, model->EncodeSource(source, {5}));
  const torch::Tensor wide_source =
      torch::cat({source, torch::full({1, 4}, 7, torch::kLong)}, 1)
          .repeat({2, 1});
  const torch::Tensor wide_target =
      torch::cat({target, torch::full({1, 2}, 9, torch::kLong)}, 1)
          .repeat({2, 1});
  const torch::Tensor padded = model->DecodeTarget(
      wide_target, model->EncodeSource(wide_source, {5, 9}));
  EXPECT_TRUE(padded[0].narrow(0, 0, 3).allclose(alone[0], 1e-4, 1e-5));
  EXPECT_FALSE(padded[1].narrow(0, 0, 3).allclose(alone[0], 1e-4, 1e-5));
}

// The loss over packed pairs is that of the padded batch, token by token.
TEST(TranslatorModel, PackedLossIsThatOfTheLogits) {
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  TranslatorModel model(SmallConfig());
  PackedPairs pairs;
  pairs.source_ids = torch::randint(4, 400, {9}, torch::kLong);
  pairs.target_ids = torch::randint(4, 400, {7}, torch::kLong);
  pairs.next_ids = torch::randint(4, 400, {7}, torch::kLong);
  pairs.source_keys = torch::arange(9);
  pairs.target_keys = torch::arange(7);
  pairs.source_offsets = {0, 5, 9};
  pairs.target_offsets = {0, 4, 7};
  double expected = 0;
  for (const int s : {0, 1}) {
    const auto part = [s](const torch::Tensor& all,
                          const std::vector<int64_t>& offsets) {
      return all.slice(0, offsets[s], offsets[s + 1]).unsqueeze(0);
    };
    const torch::Tensor source = part(pairs.source_ids, pairs.source_offsets);
    const torch::Tensor logits = model->Logits(
        model->DecodeTarget(part(pairs.target_ids, pairs.target_offsets),
                            model->EncodeSource(source, {source.size(1)})));
    expected += torch::nn::functional::cross_entropy(
                    logits[0], part(pairs.next_ids, pairs.target_offsets)[0],
                    torch::nn::functional::CrossEntropyFuncOptions()
                        .reduction(torch::kSum)
                        .label_smoothing(0.1))
                    .item<double>();
  }
  EXPECT_NEAR(model->Loss(pairs, 0.1).item<double>(), expected, 1e-3);
}

TEST(TranslatorModel, RefusesMorePositionsThanItHas) {
  TranslatorModel model(SmallConfig());
  EXPECT_THROW(model->EncodeSource(torch::zeros({1, 65}, torch::kLong), {65}),
               std::invalid_argument);
}

class ModelFolderTest : public ::testing::Test {
 protected:
  ModelFolderTest() : folder_("model") {
    std::vector<SentencePair> pairs = GrammarPairs(false);
    TrainVocabulary(pairs, 400, folder_.path() / "tokenizer");
    torch::manual_seed(3);
    TranslatorConfig config = SmallConfig();
    config.vocab_size =
        SentencePieceTokenizer::Load(folder_.path() / "tokenizer").vocab_size();
    model_ = TranslatorModel(config);
    WriteModelFolder(*model_, folder_.path() / "tokenizer", path());
  }

  fs::path path() const { return folder_.path() / "written"; }

  std::string ErrorAfter(const std::function<void()>& damage) const {
    damage();
    try {
      const TranslationModel model(ReadModelFolder(path()), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  TestFolder folder_;
  TranslatorModel model_ = nullptr;
};

TEST_F(ModelFolderTest, ReadsWhatWasWritten) {
  const ModelFolder read = ReadModelFolder(path());
  EXPECT_EQ(read.config.encoder_layers, 2);
  EXPECT_EQ(read.tokenizer.vocab_size(), read.config.vocab_size);
  const auto written = model_->named_parameters();
  for (const auto& item : ReadModule(path())->named_parameters()) {
    EXPECT_TRUE(item.value().allclose(written[item.key()], 1e-3, 1e-4))
        << item.key();
  }
}

TEST_F(ModelFolderTest, DamagedFoldersAreNamed) {
  EXPECT_THAT(ErrorAfter([&] {
                WriteFileAtomically(path() / "config.json",
                                    R"({"_class_name": "KeylensTranslator"})");
              }),
              HasSubstr("config.json: entry vocab_size is missing"));
  EXPECT_THAT(ErrorAfter([&] {
                WriteFileAtomically(path() / "config.json",
                                    R"({"_class_name": "KeylensUNet"})");
              }),
              HasSubstr("another model's"));
  EXPECT_THAT(ErrorAfter([&] { fs::remove(path() / "config.json"); }),
              HasSubstr("is no model folder"));
  EXPECT_THAT(ErrorAfter([&] { fs::remove_all(path()); }),
              HasSubstr("no such model folder"));
}

TEST_F(ModelFolderTest, WeightsOfAnotherModelAreRefused) {
  TranslatorConfig config = model_->config();
  config.decoder_layers = 2;
  TranslatorModel deeper(config);
  WriteModelFolder(*deeper, folder_.path() / "tokenizer",
                   folder_.path() / "deeper");
  EXPECT_THAT(ErrorAfter([&] {
                fs::copy_file(folder_.path() / "deeper/config.json",
                              path() / "config.json",
                              fs::copy_options::overwrite_existing);
              }),
              HasSubstr("decoder.layers.1"));
  WriteModelFolder(*model_, folder_.path() / "tokenizer", path());
  EXPECT_THAT(ErrorAfter([&] {
                fs::copy_file(folder_.path() / "deeper/model.safetensors",
                              path() / "model.safetensors",
                              fs::copy_options::overwrite_existing);
              }),
              HasSubstr("is none of the model's"));
  config.decoder_layers = 1;
  config.vocab_size += 1;
  TranslatorModel larger(config);
  WriteModelFolder(*larger, folder_.path() / "tokenizer", path());
  EXPECT_THAT(ErrorAfter([] {}), HasSubstr("spiece.model: has"));
}

}  // namespace
}  // namespace keylens::translator
