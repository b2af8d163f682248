#include "src/models/vit/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/models/vit/inference_model.h"
#include "src/nn/state_dict.h"
#include "systems/classifier/model/model_folder.h"
#include "systems/classifier/predict.h"
#include "systems/classifier/training/model_files.h"
#include "systems/classifier/training/picture_batch.h"
#include "tests/classifier/folder.h"
#include "tests/classifier/plain_model.h"
#include "tests/classifier/tiny_classifier.h"

namespace keylens::classifier {
namespace {

using ::testing::HasSubstr;

double Largest(const torch::Tensor& tensor) {
  return tensor.abs().max().item<double>();
}

TEST(ClassifierModelTest, IsTheNetworkOfPlainOperations) {
  ClassifierModel model = TinyModel();
  const torch::Tensor pictures = torch::randn({5, 3, 12, 12});
  const torch::Tensor expected = RunPlain(*model, pictures).logits;
  const torch::Tensor logits = model->forward(pictures);
  EXPECT_EQ(logits.sizes(), (std::vector<int64_t>{5, 3}));
  EXPECT_LT(Largest(logits.to(torch::kFloat64) - expected),
            1e-4 * Largest(expected));
}

TEST(ClassifierModelTest, BFloat16BranchesAreClose) {
  ClassifierModel model = TinyModel();
  const torch::Tensor pictures = torch::randn({4, 3, 12, 12});
  const torch::Tensor exact = model->forward(pictures);
  model->set_branch_type(torch::kBFloat16);
  const torch::Tensor rounded = model->forward(pictures);
  EXPECT_GT(Largest(rounded - exact), 0);
  EXPECT_LT(Largest(rounded - exact), 0.05 * Largest(exact));
}

TEST(ClassifierModelTest, EveryParameterLearns) {
  ClassifierModel model(TinyConfig());
  model->forward(torch::randn({6, 3, 12, 12})).square().sum().backward();
  for (const auto& item : model->named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    // A bias of keys adds the same to all scores of a query.
    if (item.key().ends_with("key.bias")) continue;
    EXPECT_GT(Largest(item.value().grad()), 0) << item.key();
  }
}

TEST(ClassifierModelTest, TheShippedSizesStayBelow125000Parameters) {
  ClassifierConfig config;
  config.labels.resize(10);
  int64_t count = 0;
  for (const torch::Tensor& parameter : ClassifierModel(config)->parameters())
    count += parameter.numel();
  EXPECT_EQ(count, 117658);
}

InferenceModel InferenceOf(const ClassifierModelImpl& model) {
  return {model.config(), *nn::SourceOf(model)};
}

TEST(InferenceModelTest, GivesTheModulesLogitsAndWeights) {
  ClassifierModel model = TinyModel();
  const torch::Tensor pictures = torch::randn({5, 3, 12, 12});
  const PlainPass expected = RunPlain(*model, pictures);
  const InferenceModel inference = InferenceOf(*model);
  nn::InferenceBuffers buffers;
  const std::span values(pictures.data_ptr<float>(),
                         static_cast<std::size_t>(pictures.numel()));
  const std::vector<float> logits = inference.Logits(values, 5, buffers);
  EXPECT_LT(Largest(torch::tensor(logits).view({5, 3}) - expected.logits),
            1e-4 * Largest(expected.logits));
  const auto weights = inference.Weights(values.first(3 * 12 * 12), buffers);
  ASSERT_EQ(weights.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(Largest(torch::tensor(weights[i].values).view({2, 10, 10}) -
                      expected.weights[i][0].detach()),
              1e-5);
  }
}

// The same model by two ways, on real pictures.
TEST(InferenceModelTest, TheShippedOneHasTheModulesProbabilities) {
  ClassifierModel module = ReadModule(KEYLENS_SOURCE_DIR "/models/fashion");
  const InferenceModel inference =
      ReadModelFolder(KEYLENS_SOURCE_DIR "/models/fashion");
  const torch::NoGradGuard no_grad;
  for (const char* name : {"ankle-boot", "bag", "shirt", "trouser"}) {
    const Image framed =
        Frame(ReadImage(TestPicture(name)), FramingOf(module->config()));
    const torch::Tensor batch = PictureBatch({&framed, 1}, module->config());
    torch::Tensor expected = module->forward(batch).softmax(1);
    if (module->config().num_views == 2) {
      expected = (expected + module->forward(batch.flip(3)).softmax(1)) / 2;
    }
    const auto got = Probabilities(inference, {&framed, 1}).at(0);
    EXPECT_LT(Largest(torch::tensor(got) - expected[0]), 1e-5) << name;
  }
}

TEST(ProbabilitiesTest, AreTheMeanOverThePictureAndItsMirrorImage) {
  torch::manual_seed(1);
  ClassifierConfig config = TinyConfig();
  Image image{12, 12, 3, {}}, mirrored = image;
  for (int i = 0; i < 12 * 12 * 3; ++i)
    image.pixels.push_back(static_cast<uint8_t>(i * 37 % 251));
  for (int i = 0; i < 12 * 12 * 3; ++i) {
    const int row = i / 36, column = i / 3 % 12;
    mirrored.pixels.push_back(
        image.pixels[row * 36 + (11 - column) * 3 + i % 3]);
  }
  ClassifierModel one_view = TinyModel();
  config.num_views = 2;
  ClassifierModel two_views(config);
  const torch::NoGradGuard no_grad;
  for (const auto& item : one_view->named_parameters())
    two_views->named_parameters()[item.key()].copy_(item.value());
  const std::vector<Image> both = {image, mirrored};
  const auto alone = Probabilities(InferenceOf(*one_view), both);
  const auto mean = Probabilities(InferenceOf(*two_views), both);
  EXPECT_NE(alone[0], alone[1]);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[0][i], (alone[0][i] + alone[1][i]) / 2, 1e-6);
    EXPECT_NEAR(mean[1][i], mean[0][i], 1e-6);
  }
}

TEST(ClassifierModelFolderTest, ReadsWhatItWrites) {
  const Folder folder;
  ClassifierModel model = TinyModel();
  WriteModelFolder(*model, folder / "model");
  ClassifierModel read = ReadModule(folder / "model");
  const torch::Tensor pictures = torch::randn({2, 3, 12, 12});
  // Weights are rounded to float16.
  EXPECT_LT(Largest(read->forward(pictures) - model->forward(pictures)), 0.05);
  EXPECT_EQ(read->config().labels, model->config().labels);
}

TEST(ClassifierModelFolderTest, NamesWhatIsWrong) {
  const Folder folder;
  EXPECT_THAT(Refusal([&] { ReadModelFolder(folder / "none"); }),
              HasSubstr("no such model folder"));
  EXPECT_THAT(Refusal([&] { ReadModelFolder(folder.path()); }),
              HasSubstr("config.json is missing"));
  ClassifierModel model = TinyModel();
  WriteModelFolder(*model, folder.path());
  const std::string weights = ReadFile(folder / "model.safetensors");
  folder.Write("model.safetensors", weights.substr(0, weights.size() / 2));
  EXPECT_THAT(Refusal([&] { ReadModelFolder(folder.path()); }),
              HasSubstr("model.safetensors"));
}

}  // namespace
}  // namespace keylens::classifier
