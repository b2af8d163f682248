#include <gtest/gtest.h>
#include <webp/encode.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/image/image.h"

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
