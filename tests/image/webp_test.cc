#include <gtest/gtest.h>
#include <webp/encode.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/image/image.h"
#include "tests/image/jpeg_maker.h"

namespace keylens {
namespace {

std::string LosslessWebp(int width, int height, int channels,
                         const std::vector<uint8_t>& pixels) {
  uint8_t* out = nullptr;
  const auto encode =
      channels == 4 ? WebPEncodeLosslessRGBA : WebPEncodeLosslessRGB;
  const std::size_t size =
      encode(pixels.data(), width, height, width * channels, &out);
  std::string bytes(reinterpret_cast<char*>(out), size);
  WebPFree(out);
  return bytes;
}

std::vector<uint8_t> Pixels(int count) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < count; ++i)
    pixels.push_back(static_cast<uint8_t>(1 + i * 53 % 255));
  return pixels;
}

std::string LossyWebp(int width, int height, int channels,
                      const std::vector<uint8_t>& pixels) {
  uint8_t* out = nullptr;
  const auto encode = channels == 4 ? WebPEncodeRGBA : WebPEncodeRGB;
  const std::size_t size =
      encode(pixels.data(), width, height, width * channels, 95, &out);
  std::string bytes(reinterpret_cast<char*>(out), size);
  WebPFree(out);
  return bytes;
}

void Append(std::string& bytes, uint32_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(value >> 8 * i));
}

std::string Chunk(const char* type, const std::string& data) {
  std::string chunk = type;
  Append(chunk, static_cast<uint32_t>(data.size()), 4);
  chunk += data;
  if (data.size() % 2 == 1) chunk.push_back('\0');
  return chunk;
}

// The file with an EXIF chunk behind the picture, in the extended format
// (WebP Container Specification, "Extended File Format").
std::string WithExif(const std::string& webp, int width, int height,
                     const std::string& exif, bool announced = true) {
  const std::string chunks = webp.substr(12);
  uint32_t flags = announced ? 0x08 : 0;
  std::string picture = chunks;
  if (chunks.starts_with("VP8X")) {
    flags |= static_cast<unsigned char>(chunks[8]);
    picture = chunks.substr(18);
  } else if (chunks.starts_with("VP8L")) {
    flags |= 0x10;  // there may be alpha
  }
  std::string extended;
  Append(extended, flags, 4);
  Append(extended, width - 1, 3);
  Append(extended, height - 1, 3);
  const std::string body =
      "WEBP" + Chunk("VP8X", extended) + picture + Chunk("EXIF", exif);
  std::string file = "RIFF";
  Append(file, static_cast<uint32_t>(body.size()), 4);
  return file + body;
}

// 16 x 8 pixels; the upper left quarter is light.
std::vector<uint8_t> LightUpperLeft(int channels) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 16 * 8; ++i) {
    for (int c = 0; c < channels; ++c)
      pixels.push_back(c == 3 ? 128 : i % 16 < 8 && i / 16 < 4 ? 220 : 20);
  }
  return pixels;
}

// Which corner is light: the upper one, the left one.
std::pair<bool, bool> LightCorner(const Image& image) {
  const auto at = [&](int x, int y) {
    const auto pixel = static_cast<std::size_t>(y * image.width + x);
    return image.pixels[pixel * static_cast<std::size_t>(image.channels)] > 120;
  };
  const int right = image.width - 1, bottom = image.height - 1;
  EXPECT_EQ(at(0, 0) + at(right, 0) + at(0, bottom) + at(right, bottom), 1);
  return {at(0, 0) || at(right, 0), at(0, 0) || at(0, bottom)};
}

TEST(ReadWebp, ExifTurnsThePictureUpright) {
  const std::vector<std::pair<bool, bool>> corners = {
      {true, true}, {true, false}, {false, false}, {false, true},
      {true, true}, {true, false}, {false, false}, {false, true}};
  for (uint16_t orientation = 1; orientation <= 8; ++orientation) {
    for (const int channels : {3, 4}) {
      const auto pixels = LightUpperLeft(channels);
      for (const auto encode : {LosslessWebp, LossyWebp}) {
        for (const char* front : {"", "Exif"}) {
          std::string exif = front;
          if (!exif.empty()) exif.append(2, '\0');
          exif += ExifWithOrientation(orientation, channels == 3);
          const Image image = DecodeImage(
              WithExif(encode(16, 8, channels, pixels), 16, 8, exif), "x.webp");
          ASSERT_EQ(image.width, orientation < 5 ? 16 : 8) << orientation;
          EXPECT_EQ(LightCorner(image), corners[orientation - 1])
              << orientation;
        }
      }
    }
  }
}

TEST(ReadWebp, ExifThatSaysNothingIsNoError) {
  const std::string plain = LosslessWebp(16, 8, 3, LightUpperLeft(3));
  const std::string good = ExifWithOrientation(6, true);
  for (std::size_t size = 0; size < 32; ++size) {
    const auto exif = good.substr(0, size);
    EXPECT_EQ(DecodeImage(WithExif(plain, 16, 8, exif), "x.webp").width, 16)
        << size;
  }
  const std::string whole = WithExif(plain, 16, 8, good);
  EXPECT_EQ(DecodeImage(whole, "x.webp").width, 8);
  EXPECT_EQ(DecodeImage(WithExif(plain, 16, 8, good, false), "x.webp").width,
            16);  // the header does not know of it
}

TEST(ReadWebp, LosslessComesBackBitForBit) {
  for (const int channels : {3, 4}) {
    const auto pixels = Pixels(21 * 13 * channels);
    const Image image =
        DecodeImage(LosslessWebp(21, 13, channels, pixels), "made.webp");
    EXPECT_EQ(image.width, 21);
    EXPECT_EQ(image.height, 13);
    EXPECT_EQ(image.channels, channels);
    EXPECT_EQ(image.pixels, pixels);
  }
}

TEST(ReadWebp, LossyIsClose) {
  const std::vector<uint8_t> pixels(32 * 32 * 3, 100);
  uint8_t* out = nullptr;
  const std::size_t size = WebPEncodeRGB(pixels.data(), 32, 32, 96, 90, &out);
  const Image image =
      DecodeImage({reinterpret_cast<char*>(out), size}, "lossy.webp");
  WebPFree(out);
  ASSERT_EQ(image.pixels.size(), pixels.size());
  for (const uint8_t value : image.pixels) EXPECT_NEAR(value, 100, 3);
}

TEST(ReadWebp, RefusesAFileCutShortAnywhere) {
  const std::string whole = LosslessWebp(21, 13, 4, Pixels(21 * 13 * 4));
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7) {
    EXPECT_THROW(DecodeImage(whole.substr(0, size), "cut.webp"), Error)
        << size << " of " << whole.size();
  }
}

}  // namespace
}  // namespace keylens
