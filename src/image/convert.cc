#include <array>
#include <cstdint>

#include "src/image/check_image.h"
#include "src/image/image.h"

namespace keylens {
namespace {

using Rgba = std::array<uint8_t, 4>;

Rgba PixelAt(const Image& image, std::size_t index) {
  const uint8_t* p = image.pixels.data() + index * image.channels;
  if (image.channels == 1) return {p[0], p[0], p[0], 255};
  return {p[0], p[1], p[2], image.channels == 4 ? p[3] : uint8_t{255}};
}

Image EmptyLike(const Image& image, int channels) {
  Image out{image.width, image.height, channels, {}};
  out.pixels.reserve(std::size_t{1} * image.width * image.height * channels);
  return out;
}

uint8_t OnWhite(int colour, int alpha) {
  return static_cast<uint8_t>((colour * alpha + 255 * (255 - alpha) + 127) /
                              255);
}

}  // namespace

Image ToRgba(const Image& image) {
  CheckImage(image, "ToRgba");
  if (image.channels == 4) return image;
  Image out = EmptyLike(image, 4);
  const std::size_t count = std::size_t{1} * image.width * image.height;
  for (std::size_t i = 0; i < count; ++i) {
    const Rgba pixel = PixelAt(image, i);
    out.pixels.insert(out.pixels.end(), pixel.begin(), pixel.end());
  }
  return out;
}

Image OverWhite(const Image& image) {
  CheckImage(image, "OverWhite");
  if (image.channels == 3) return image;
  Image out = EmptyLike(image, 3);
  const std::size_t count = std::size_t{1} * image.width * image.height;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [red, green, blue, alpha] = PixelAt(image, i);
    for (const int colour : {red, green, blue})
      out.pixels.push_back(OnWhite(colour, alpha));
  }
  return out;
}

}  // namespace keylens
