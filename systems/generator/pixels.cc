#include "systems/generator/pixels.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace keylens::generator {
namespace {

float Unit(float value) { return std::clamp((value + 1) / 2, 0.0f, 1.0f); }

uint8_t Byte(float unit) {
  return static_cast<uint8_t>(std::lround(unit * 255));
}

}  // namespace

void ToNetworkColours(const Image& image, std::span<float> planes) {
  const std::size_t size = static_cast<std::size_t>(image.width) * image.height;
  if (image.channels != 4 || planes.size() != 4 * size) {
    throw std::invalid_argument("ToNetworkColours: not RGBA, or another size");
  }
  for (std::size_t i = 0; i < size; ++i) {
    const uint8_t* pixel = &image.pixels[4 * i];
    const float alpha = static_cast<float>(pixel[3]) / 255;
    for (int c = 0; c < 3; ++c) {
      planes[c * size + i] = 2 * alpha * static_cast<float>(pixel[c]) / 255 - 1;
    }
    planes[3 * size + i] = 2 * alpha - 1;
  }
}

Image FromNetworkColours(std::span<const float> planes, int width, int height) {
  const std::size_t size = static_cast<std::size_t>(width) * height;
  if (planes.size() != 4 * size) {
    throw std::invalid_argument("FromNetworkColours: another size");
  }
  Image image{width, height, 4, std::vector<uint8_t>(4 * size)};
  for (std::size_t i = 0; i < size; ++i) {
    uint8_t* pixel = &image.pixels[4 * i];
    const float alpha = Unit(planes[3 * size + i]);
    pixel[3] = Byte(alpha);
    if (pixel[3] == 0) continue;
    for (int c = 0; c < 3; ++c) {
      pixel[c] = Byte(std::min(1.0f, Unit(planes[c * size + i]) / alpha));
    }
  }
  return image;
}

}  // namespace keylens::generator
