#include "systems/generator/evaluate.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "systems/generator/process.h"
#include "systems/generator/training/denoising.h"
#include "tests/generator/tiny_generator.h"

namespace keylens::generator {
namespace {

// Discs from black to white, in steps of 20.
std::vector<CaptionedPicture> GreyDiscs() {
  std::vector<CaptionedPicture> pictures;
  for (int i = 0; i < 12; ++i) {
    const auto grey = static_cast<uint8_t>(20 * i);
    CaptionedPicture picture;
    picture.text = "grey " + std::to_string(i);
    picture.held_out = i % 3 == 0;
    picture.image = Disc(16, grey, grey, grey);
    pictures.push_back(picture);
  }
  return pictures;
}

TEST(RecallTest, CountsTheNearestAndTheFiveNearest) {
  const std::vector<CaptionedPicture> pictures = GreyDiscs();
  // The first is picture 5 itself; the second lies at 3, whose nearest are
  // 3, 2, 4, 1, 5; the third is far from its own.
  const std::vector<Image> drawings = {pictures[5].image, Disc(16, 61, 61, 61),
                                       pictures[11].image};
  const Recall recall = RecallOf(drawings, {5, 5, 0}, pictures);
  EXPECT_EQ(recall.captions, 3);
  EXPECT_DOUBLE_EQ(recall.at_1, 1 / 3.0);
  EXPECT_DOUBLE_EQ(recall.at_5, 2 / 3.0);
}

TEST(RecallTest, ComparesOverWhite) {
  // Transparent black and transparent white look the same.
  std::vector<CaptionedPicture> pictures = GreyDiscs();
  Image transparent{16, 16, 4, std::vector<uint8_t>(16 * 16 * 4)};
  pictures[11].image = Image{16, 16, 4, std::vector<uint8_t>(16 * 16 * 4, 255)};
  EXPECT_DOUBLE_EQ(RecallOf({transparent}, {11}, pictures).at_1, 1);
}

TEST(EvaluateTest, DrawsEveryCaptionAskedForAndTheFloor) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  EvaluationOptions options;
  options.train_captions = 5;
  options.settings.steps = 2;
  const Evaluation evaluation =
      EvaluateGenerator(pipeline, GreyDiscs(), options);
  EXPECT_EQ(evaluation.train.captions, 5);
  EXPECT_EQ(evaluation.held_out.captions, 4);
  EXPECT_EQ(evaluation.train_shuffled.captions, 5);
  EXPECT_LE(evaluation.train.at_1, evaluation.train.at_5);
}

TEST(EvaluateTest, StoppedItGivesNoFigures) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  EvaluationOptions options;
  options.settings.steps = 2;
  EXPECT_THROW(
      EvaluateGenerator(
          pipeline, GreyDiscs(), options,
          {.observer = [](int64_t done, int64_t) { return done < 5; }}),
      Error);
}

// A network that predicts nothing sees, in pure noise, a picture of zeros.
TEST(DenoisingTest, MeasuresTheDistanceToThePicture) {
  ModelFolder model = ReadModelFolder(TinyModel());
  {
    const torch::NoGradGuard no_grad;
    model.model->unet->conv_out->weight.zero_();
    model.model->unet->conv_out->bias.zero_();
  }
  std::vector<CaptionedPicture> pictures(2);
  for (CaptionedPicture& picture : pictures) {
    picture.text = "white";
    picture.image = Image{16, 16, 4, std::vector<uint8_t>(16 * 16 * 4, 255)};
  }
  pictures[1].held_out = true;  // transparent: -1 in every channel
  pictures[1].image.pixels.assign(16 * 16 * 4, 0);
  const std::vector<DenoisingError> errors =
      DenoisingErrors(model, pictures, 1);
  EXPECT_EQ(errors.front().signal_to_noise, 0);
  EXPECT_NEAR(errors.front().train, 1, 1e-5);
  EXPECT_NEAR(errors.front().held_out, 1, 1e-5);
  EXPECT_GT(errors.size(), 3u);
}

TEST(DenoisingTest, TimesHaveTheirSignalToNoise) {
  for (const Prediction prediction :
       {Prediction::kVelocity, Prediction::kFlow}) {
    const NoiseProcess process(prediction);
    for (const double ratio : {0.0, 0.25, 1.0, 4.0}) {
      const torch::Tensor one = torch::ones({1, 1, 1, 1});
      const torch::Tensor time = torch::full({1}, process.TimeOf(ratio));
      const double alpha =
          process.Mix(one, torch::zeros_like(one), time).item<double>();
      const double sigma =
          process.Mix(torch::zeros_like(one), one, time).item<double>();
      EXPECT_NEAR(alpha / sigma, ratio, 1e-5);
    }
  }
}

}  // namespace
}  // namespace keylens::generator
