#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/image/image.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing::Not;

Image Noise(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  std::mt19937 random(width + 1000 * height + channels);
  for (int i = 0; i < width * height * channels; ++i)
    image.pixels.push_back(static_cast<uint8_t>(random()));
  return image;
}

PngText TextRoundTrip(const PngText& text) {
  const auto path = TemporaryPath("text.png");
  WritePng(path, Noise(2, 2, 4), text);
  PngText read = ReadPngText(path);
  std::filesystem::remove(path);
  return read;
}

TEST(WritePng, PicturesComeBackBitForBit) {
  for (const int channels : {1, 3, 4}) {
    for (const auto& [width, height] :
         {std::pair(1, 1), {1, 500}, {500, 1}, {64, 64}, {33, 7}}) {
      const Image image = Noise(width, height, channels);
      const Image read = DecodeImage(EncodePng(image), "memory");
      EXPECT_EQ(read.width, width);
      EXPECT_EQ(read.height, height);
      EXPECT_EQ(read.channels, channels);
      EXPECT_EQ(read.pixels, image.pixels);
    }
  }
}

TEST(WritePng, SamePictureAndTextGiveTheSameBytes) {
  const PngText text = {{"parameters", "red heart\nSteps: 30, Seed: 7"}};
  EXPECT_EQ(EncodePng(Noise(64, 64, 4), text),
            EncodePng(Noise(64, 64, 4), text));
}

TEST(WritePng, TextComesBack) {
  const PngText text = {{"parameters", "red heart\nSteps: 30"},
                        {"Latin", "Straße, 50 % größer"},
                        {"Wide", "日本 😀 ♥"},
                        {"Empty", ""},
                        {"parameters", "again"},
                        {"Tab", "a\tb"},
                        {"Long", std::string(100000, 'x')}};
  EXPECT_EQ(TextRoundTrip(text), text);
}

TEST(WritePng, TextThatIsLatin1IsAPlainChunk) {
  const std::string plain =
      EncodePng(Noise(1, 1, 1), {{"parameters", "größer"}});
  EXPECT_THAT(plain, HasSubstr("tEXtparameters\0gr\xF6\xDF"s
                               "er"));
  EXPECT_THAT(plain, Not(HasSubstr("iTXt")));
  const std::string wide = EncodePng(Noise(1, 1, 1), {{"parameters", "♥"}});
  EXPECT_THAT(wide, HasSubstr("iTXtparameters"));
  EXPECT_THAT(wide, HasSubstr("♥"));
  EXPECT_THAT(wide, Not(HasSubstr("tEXt")));
}

TEST(WritePng, TextThatCannotBeStoredIsReplaced) {
  EXPECT_EQ(TextRoundTrip({{"k", "a\xFF\0b"s}})[0].second, "a\uFFFD\uFFFDb");
}

TEST(WritePng, RefusesKeysThatPngHasNot) {
  for (const std::string& key :
       {""s, " x"s, "x "s, "a\nb"s, "ä"s, std::string(80, 'k')}) {
    EXPECT_THROW(EncodePng(Noise(1, 1, 1), {{key, "v"}}), std::invalid_argument)
        << key;
  }
  EXPECT_EQ(TextRoundTrip({{std::string(79, 'k'), "v"}}).size(), 1u);
}

TEST(WritePng, RefusesPicturesThatAreNone) {
  EXPECT_THROW(EncodePng(Image{}), std::invalid_argument);
  EXPECT_THROW(EncodePng({2, 2, 3, std::vector<uint8_t>(11)}),
               std::invalid_argument);
  EXPECT_THROW(EncodePng({1, 1, 2, {1, 2}}), std::invalid_argument);
  EXPECT_THROW(EncodePng({-1, -1, 1, {1}}), std::invalid_argument);
}

TEST(WritePng, AFullDiskLeavesTheOldPicture) {
  const auto path = TemporaryPath("full.png");
  WritePng(path, Noise(4, 4, 3));
  const std::string old = ReadFile(path);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    WritePng(path, Noise(100, 100, 4));
    ADD_FAILURE() << "written";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(ReadFile(path), old);
  std::filesystem::remove(path);
}

TEST(WritePng, NamesAFolderThatIsNotThere) {
  try {
    WritePng("/nonexistent/folder/x.png", Noise(1, 1, 1));
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/folder/x.png"));
  }
}

}  // namespace
}  // namespace keylens
