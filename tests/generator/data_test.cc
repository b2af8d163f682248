// Captioned pictures, their colours in the network, captions, and their order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/generator/data/captions.h"
#include "systems/generator/pixels.h"
#include "systems/generator/process.h"
#include "systems/generator/training/example_order.h"
#include "tests/generator/tiny_generator.h"

namespace keylens::generator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PictureSetTest, ReadsMetadataInItsOrderAtTheModelsSize) {
  const TestFolder folder("set");
  WriteDiscs(folder.path());
  const auto pictures =
      ReadPictureSet(folder.path(), 16, [](const std::string&) { FAIL(); });
  ASSERT_EQ(pictures.size(), 6u);
  EXPECT_EQ(pictures[1].text, "green disc, of grass");
  EXPECT_THAT(pictures[0].keywords, ElementsAre("ball", "ruby"));
  EXPECT_FALSE(pictures[3].held_out);
  EXPECT_TRUE(pictures[5].held_out);
  EXPECT_EQ(pictures[0].image.width, 16);
  EXPECT_EQ(pictures[0].image.height, 16);
}

TEST(PictureSetTest, NamesAndSkipsWhatItCannotRead) {
  const TestFolder folder("unreadable");
  WritePng(folder.path() / "good.png", Disc(8, 1, 2, 3));
  WriteFileAtomically(folder.path() / "bad.png", "no picture");
  WriteFileAtomically(folder.path() / "metadata.jsonl",
                      R"({"file_name":"bad.png","text":"bad"}
{"file_name":"missing.png","text":"missing"}
{"file_name":"good.png"}
no JSON
{"file_name":"good.png","text":"good"}
)");
  std::vector<std::string> notes;
  const auto pictures =
      ReadPictureSet(folder.path(), 8,
                     [&](const std::string& note) { notes.push_back(note); });
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_EQ(pictures[0].text, "good");
  EXPECT_THAT(
      notes,
      ElementsAre(HasSubstr("metadata.jsonl:3"), HasSubstr("metadata.jsonl:4"),
                  HasSubstr("bad.png"), HasSubstr("missing.png")));
}

TEST(PictureSetTest, SaysInItsOwnWordsWhatIsWrongWithALine) {
  const TestFolder folder("lines");
  WritePng(folder.path() / "p.png", Disc(8, 1, 2, 3));
  WriteFileAtomically(folder.path() / "metadata.jsonl",
                      R"({"file_name":"p.png"}
{"file_name":"p.png","text":null}
{"file_name":3,"text":"x"}
{"text":"x"}
{broken
[{"file_name":"p.png","text":"x"}]
"text"
{"file_name":"p.png","text":"x","keywords":"y"}
{"file_name":"p.png","text":"x","split":["test"]}
{"file_name":"p.png","text":"good"}
)");
  std::vector<std::string> notes;
  EXPECT_EQ(ReadPictureSet(folder.path(), 8,
                           [&](const std::string& note) {
                             EXPECT_THAT(note, Not(HasSubstr("exception")));
                             notes.push_back(note);
                           })
                .size(),
            1u);
  EXPECT_THAT(
      notes, ElementsAre(
                 HasSubstr(":1: left out: has no \"text\""),
                 HasSubstr(":2: left out: \"text\" is no string"),
                 HasSubstr(":3: left out: \"file_name\" is no string"),
                 HasSubstr(":4: left out: has no \"file_name\""),
                 HasSubstr(":5: left out: is not JSON"),
                 HasSubstr(":6: left out: is no JSON object; each line is one"),
                 HasSubstr(":7: left out: is no JSON object"),
                 HasSubstr(":8: left out: \"keywords\" is no list of strings"),
                 HasSubstr(":9: left out: \"split\" is no string")));
}

TEST(PictureSetTest, ReadsTextFilesBesidePictures) {
  const TestFolder folder("beside");
  WritePng(folder.path() / "b.png", Disc(8, 1, 2, 3));
  WritePng(folder.path() / "a.PNG", Disc(8, 1, 2, 3));
  WritePng(folder.path() / "uncaptioned.png", Disc(8, 1, 2, 3));
  WriteFileAtomically(folder.path() / "b.txt", " second \n");
  WriteFileAtomically(folder.path() / "a.txt", "first");
  const auto pictures =
      ReadPictureSet(folder.path(), 8, [](const std::string&) {});
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].text, "first");
  EXPECT_EQ(pictures[1].text, "second");
}

TEST(PictureSetTest, RefusesAFolderThatGivesNothing) {
  const TestFolder folder("nothing");
  const auto read = [&] {
    return ReadPictureSet(folder.path(), 8, [](const std::string&) {});
  };
  EXPECT_THROW(read(), Error);
  WriteFileAtomically(folder.path() / "metadata.jsonl",
                      R"({"file_name":"gone.png","text":"gone"})");
  EXPECT_THROW(read(), Error);
  EXPECT_THROW(
      ReadPictureSet(folder.path() / "gone", 8, [](const std::string&) {}),
      Error);
}

TEST(PixelsTest, ColoursSurviveTheWayThere) {
  Image image{
      2,
      2,
      4,
      {10, 200, 30, 255, 250, 0, 99, 128, 7, 8, 9, 0, 255, 255, 255, 255}};
  std::vector<float> planes(16);
  ToNetworkColours(image, planes);
  EXPECT_FLOAT_EQ(planes[2], -1);  // a transparent pixel has no colour
  const Image back = FromNetworkColours(planes, 2, 2);
  for (const int pixel : {0, 1, 3}) {
    for (int c = 0; c < 4; ++c) {
      EXPECT_NEAR(back.pixels[4 * pixel + c], image.pixels[4 * pixel + c], 1);
    }
  }
  EXPECT_THAT(std::vector<uint8_t>(&back.pixels[8], &back.pixels[12]),
              ElementsAre(0, 0, 0, 0));
}

TEST(PixelsTest, ClipsWhatNoPictureHas) {
  const std::vector<float> planes = {5, -5, 0, 0};  // 1 x 1: r, g, b, alpha
  const Image image = FromNetworkColours(planes, 1, 1);
  EXPECT_THAT(image.pixels, ElementsAre(255, 0, 255, 128));
}

TEST(CaptionsTest, MostOftenTheCaptionItself) {
  CaptionedPicture picture;
  picture.text = "waving hand, dark skin tone";
  picture.keywords = {"bye", "hello"};
  std::map<std::string, int> seen;
  constexpr int kCount = 20000;
  for (uint64_t i = 0; i < kCount; ++i) {
    Random random({i});
    ++seen[TrainingCaption(picture, 0.1, random)];
  }
  EXPECT_NEAR(seen[""], 0.1 * kCount, 200);
  // 80 % of the rest, and the reorderings that change nothing.
  EXPECT_NEAR(seen[picture.text], 0.735 * kCount, 300);
  EXPECT_GT(seen["a waving hand, dark skin tone"], 0);
  EXPECT_GT(seen["dark skin tone, waving hand"], 0);
  EXPECT_GT(seen["waving hand dark skin tone"], 0);
  EXPECT_GT(seen["waving hand, dark skin tone, bye"], 0);
  EXPECT_GT(seen["hello bye"], 0);
}

TEST(ExampleOrderTest, VisitsAllEvenlyAndMotifsByTheRootOfTheirNumber) {
  std::vector<std::string> captions = {"sun", "moon"};
  for (int i = 0; i < 4; ++i) {
    captions.push_back("hand, tone " + std::to_string(i));
  }
  const ExampleOrder order(captions, 3);
  std::vector<int> counts(captions.size());
  constexpr int kCount = 4000;
  for (uint64_t i = 0; i < kCount; ++i) ++counts[order.PictureOf(i)];
  // Weights 1, 1 and four times 1/2.
  EXPECT_NEAR(counts[0], kCount / 4.0, 4);
  EXPECT_NEAR(counts[1], kCount / 4.0, 4);
  for (int i = 2; i < 6; ++i) EXPECT_NEAR(counts[i], kCount / 8.0, 4);
}

TEST(NoiseProcessTest, APictureIsRecoveredFromItsTarget) {
  torch::manual_seed(1);
  const torch::Tensor picture = torch::randn({2, 4, 3, 5});
  const torch::Tensor noise = torch::randn_like(picture);
  for (const Prediction prediction :
       {Prediction::kVelocity, Prediction::kFlow}) {
    const NoiseProcess process(prediction);
    for (const double time : {0.05, 0.5, 1.0}) {
      const torch::Tensor times = torch::full({2}, time);
      const torch::Tensor x = process.Mix(picture, noise, times);
      const torch::Tensor v = process.Target(picture, noise, times);
      const torch::Tensor back = process.Picture(x, v, time);
      EXPECT_LT((back - picture).abs().max().item<double>(), 1e-5);
      // Whoever knows the picture walks straight to it.
      const torch::Tensor halfway = process.Step(x, picture, time, time / 2);
      const torch::Tensor expected =
          process.Mix(picture, noise, torch::full({2}, time / 2));
      EXPECT_LT((halfway - expected).abs().max().item<double>(), 1e-4);
      const torch::Tensor end = process.Step(x, picture, time, 0);
      EXPECT_LT((end - picture).abs().max().item<double>(), 1e-5);
    }
  }
}

}  // namespace
}  // namespace keylens::generator
