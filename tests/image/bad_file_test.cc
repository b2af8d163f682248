#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/image/image.h"
#include "tests/image/jpeg_maker.h"
#include "tests/image/png_maker.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing::StartsWith;

// One line that starts with the name.
std::string ErrorOf(const std::string& bytes, const std::string& name) {
  try {
    DecodeImage(bytes, name);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith(name + ": "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  ADD_FAILURE() << name << " was read";
  return "";
}

std::string NoisePng(int width, int height) {
  Image image{width, height, 4, {}};
  std::mt19937 random(5);
  for (int i = 0; i < width * height * 4; ++i)
    image.pixels.push_back(static_cast<uint8_t>(random()));
  return EncodePng(image);
}

long PeakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(BadPicture, IsNamedForWhatItIs) {
  EXPECT_THAT(ErrorOf("", "empty.png"), HasSubstr("empty"));
  EXPECT_THAT(ErrorOf("just text", "notes.txt"),
              HasSubstr("not a PNG, JPEG or WebP picture"));
  EXPECT_THAT(ErrorOf("GIF89a......", "a.gif"),
              HasSubstr("not a PNG, JPEG or WebP picture"));
  EXPECT_THAT(ErrorOf("version https://git-lfs.github.com/spec/v1\noid sha256:0"
                      "\nsize 1\n",
                      "a.png"),
              HasSubstr("WebP picture but a Git LFS pointer"));
  EXPECT_THAT(ErrorOf("<!DOCTYPE html><html>Not Found</html>", "a.png"),
              HasSubstr("WebP picture but a web page"));
}

TEST(BadPicture, MissingFileAndFolder) {
  EXPECT_THROW(ReadImage(TemporaryPath("missing.png")), Error);
  EXPECT_THROW(ReadImage(testing::TempDir()), Error);
}

TEST(BadPicture, PngCutShortAnywhere) {
  const std::string whole = NoisePng(9, 9);
  for (std::size_t size = 0; size < whole.size(); ++size)
    ErrorOf(whole.substr(0, size), "cut.png");
}

TEST(BadPicture, JpegCutShortAnywhere) {
  std::vector<uint8_t> pixels(32 * 32 * 3);
  std::mt19937 random(6);
  std::generate(pixels.begin(), pixels.end(), random);
  const std::string whole =
      MakeJpeg({.width = 32, .height = 32, .pixels = pixels});
  // The last two bytes are the marker of the end, without which all pixels are
  // there.
  for (std::size_t size = 0; size + 2 < whole.size(); size += 11)
    ErrorOf(whole.substr(0, size), "cut.jpg");
}

TEST(BadPicture, AFlippedByteIsNoticedOrHarmless) {
  const std::string whole = NoisePng(9, 9);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    try {
      EXPECT_EQ(DecodeImage(bytes, "flipped.png").pixels.size(), 9u * 9 * 4);
    } catch (const Error&) {
    }
  }
}

TEST(BadPicture, AHugePictureIsRefusedBeforeMemoryIsTaken) {
  const long before = PeakKilobytes();
  const std::string header = PngHeader(30000, 30000, 8, 6);
  const std::string huge = PngFromChunks(
      {{"IHDR", header}, {"IDAT", std::string(1000, '\0')}, {"IEND", ""}});
  EXPECT_THAT(ErrorOf(huge, "huge.png"), HasSubstr("30000 x 30000"));
  EXPECT_THAT(ErrorOf(huge, "huge.png"), HasSubstr("scale the picture down"));
  const std::string widest = PngFromChunks(
      {{"IHDR", PngHeader(0x7FFFFFFF, 0x7FFFFFFF, 16, 6)}, {"IEND", ""}});
  ErrorOf(widest, "widest.png");
  // 8000 x 8000 may be read, but not from so few bytes.
  const std::string bomb = PngFromChunks({{"IHDR", PngHeader(8000, 8000, 8, 6)},
                                          {"IDAT", std::string(1000, '\0')},
                                          {"IEND", ""}});
  EXPECT_THAT(ErrorOf(bomb, "bomb.png"), HasSubstr("cut short"));
  // A chunk that says it is 400 MiB long, and one of which little more is there
  // than that.
  std::string text =
      PngFromChunks({{"IHDR", PngHeader(1, 1, 8, 6)}, {"iTXt", "parameters"}});
  text[33] = '\x19';
  ErrorOf(text, "text.png");
  ErrorOf(text.substr(0, 33 + 8), "text.png");
  EXPECT_LT(PeakKilobytes() - before, 40'000);
}

TEST(BadPicture, HugeJpegAndWebp) {
  std::string jpeg = MakeJpeg({.width = 8,
                               .height = 8,
                               .channels = 1,
                               .pixels = std::vector<uint8_t>(64, 9)});
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\x75\x30\x75\x30");  // 30000 x 30000
  EXPECT_THAT(ErrorOf(jpeg, "huge.jpg"), HasSubstr("30000 x 30000"));
  // A lossless header: 14 bits each of width - 1 and height - 1.
  const std::string webp =
      "RIFF\x1A\0\0\0WEBPVP8L\x0D\0\0\0\x2F\xFF\xFF\xFF\x0F\0\0\0\0\0\0\0\0\0"s;
  EXPECT_THAT(ErrorOf(webp, "huge.webp"), HasSubstr("16384 x 16384"));
}

TEST(BadPicture, PngOfNoPixels) {
  for (const auto& [width, height] : {std::pair(0, 5), {5, 0}}) {
    ErrorOf(PngFromChunks({{"IHDR", PngHeader(width, height, 8, 6)},
                           {"IDAT", ""},
                           {"IEND", ""}}),
            "none.png");
  }
}

TEST(BadPicture, PngChunksThatLie) {
  const std::string header = PngHeader(4, 4, 8, 3);
  ErrorOf(PngFromChunks({{"IHDR", header}, {"IDAT", "x"}, {"IEND", ""}}),
          "no-palette.png");
  ErrorOf(PngFromChunks({{"IEND", ""}}), "no-header.png");
  ErrorOf(PngFromChunks({{"IHDR", header}, {"IHDR", header}, {"IEND", ""}}),
          "two-headers.png");
  ErrorOf(PngFromChunks({{"IHDR", PngHeader(4, 4, 7, 6)}, {"IEND", ""}}),
          "depth.png");
}

TEST(BadPicture, PngTextOfAnotherFormat) {
  const auto path = TemporaryPath("x.jpg");
  WriteFileAtomically(path, MakeJpeg({.width = 8,
                                      .height = 8,
                                      .channels = 1,
                                      .pixels = std::vector<uint8_t>(64)}));
  EXPECT_THROW(ReadPngText(path), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace keylens
