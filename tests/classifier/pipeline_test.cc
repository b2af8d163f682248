// The model that ships, on real pictures.

#include "systems/classifier/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/random/random.h"
#include "systems/classifier/relevance/attention_maps.h"
#include "systems/classifier/training/model_files.h"
#include "tests/classifier/folder.h"
#include "tests/image/jpeg_maker.h"

namespace keylens::classifier {
namespace {

using ::testing::HasSubstr;

// The first test picture of every class; see data/README.md.
const std::vector<std::pair<std::string, std::string>>& Pictures() {
  static const std::vector<std::pair<std::string, std::string>> pictures = {
      {"t-shirt", "T-shirt/top"},
      {"trouser", "Trouser"},
      {"pullover", "Pullover"},
      {"dress", "Dress"},
      {"coat", "Coat"},
      {"sandal", "Sandal"},
      {"shirt", "Shirt"},
      {"sneaker", "Sneaker"},
      {"bag", "Bag"},
      {"ankle-boot", "Ankle boot"}};
  return pictures;
}

// The picture as a camera might have taken it: brown on a table that is not
// quite white, uneven and noisy, larger, off the middle, and a JPEG.
std::string AsPhoto(const Image& picture) {
  constexpr int kWidth = 420, kHeight = 560, kSide = 330, kLeft = 60,
                kTop = 130;
  const Image large = Resize(picture, kSide, kSide);
  Random random({11});
  JpegRecipe photo{.width = kWidth, .height = kHeight};
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int row = y - kTop, column = x - kLeft;
      const bool inside =
          row >= 0 && row < kSide && column >= 0 && column < kSide;
      const int ink = inside ? large.pixels[row * kSide + column] : 0;
      const int noise = static_cast<int>(random.Below(5));
      const int paper = 244 + y / 112 + noise;
      for (const int part : {80, 90, 100})  // of blue the most is gone
        photo.pixels.push_back(
            static_cast<uint8_t>(std::clamp(paper - ink * part / 100, 0, 255)));
    }
  }
  return MakeJpeg(photo);
}

const Pipeline& Shipped() {
  static const Pipeline pipeline = Pipeline::Load(
      std::filesystem::path(KEYLENS_SOURCE_DIR) / "models/fashion");
  return pipeline;
}

TEST(ShippedClassifierTest, TellsRealPictures) {
  std::vector<Image> images;
  for (const auto& [file, label] : Pictures())
    images.push_back(ReadImage(TestPicture(file)));
  const auto guesses = Shipped().Classify(images);
  int right = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    double sum = 0;
    for (const Guess& guess : guesses[i]) sum += guess.probability;
    EXPECT_NEAR(sum, 1, 1e-5);
    right += guesses[i][0].label == Pictures()[i].second ? 1 : 0;
  }
  EXPECT_GE(right, 9);
}

TEST(ShippedClassifierTest, TellsPhotographsOfAnotherSize) {
  int right = 0;
  for (const auto& [file, label] : Pictures()) {
    const Image photo =
        DecodeImage(AsPhoto(ReadImage(TestPicture(file))), file + ".jpg");
    right += Shipped().Classify({&photo, 1})[0][0].label == label ? 1 : 0;
  }
  EXPECT_GE(right, 8);
}

TEST(ShippedClassifierTest, RelevanceLiesOnTheThing) {
  // Patches that hold ink, those of the sandal being few.
  const Image sandal = ReadImage(TestPicture("sandal"));
  const render::AttentionReport report = AttentionMaps(
      *ReadModule(KEYLENS_SOURCE_DIR "/models/fashion"), sandal, "sandal");
  EXPECT_THAT(report.title, HasSubstr("Sandal"));
  const render::NamedMap& relevance = report.panels.at(0).named_maps.at(1);
  EXPECT_EQ(relevance.name, "relevance");
  const Image& seen = report.panels[0].key_picture->picture;
  double on = 0, all = 0, covered = 0;
  for (int patch = 0; patch < 64; ++patch) {
    int darkest = 255;
    for (int i = 0; i < 16; ++i) {
      const int y = patch / 8 * 4 + i / 4, x = patch % 8 * 4 + i % 4;
      darkest = std::min<int>(darkest, seen.pixels[y * seen.width + x]);
    }
    const double weight = relevance.weights[patch + 1];
    all += weight;
    if (darkest > 223) continue;
    on += weight;
    covered += 1.0 / 64;
  }
  // More than an even map would put there.
  EXPECT_GT(on / all, 1.2 * covered);
}

TEST(PipelineTest, OtherClassesCannotBeMeasured) {
  const Folder folder;
  for (const std::string name : {"cat", "dog"}) {
    MakeFolder(folder / name);
    WritePng(folder / (name + "/1.png"),
             {8, 8, 1, std::vector<uint8_t>(64, 9)});
  }
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(
      Refusal([&] { Shipped().Evaluate(*dataset, [](const std::string&) {}); }),
      HasSubstr("other classes than the model"));
}

}  // namespace
}  // namespace keylens::classifier
