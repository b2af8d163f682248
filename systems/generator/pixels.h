#ifndef KEYLENS_SYSTEMS_GENERATOR_PIXELS_H_
#define KEYLENS_SYSTEMS_GENERATOR_PIXELS_H_

#include <cstdint>
#include <span>

#include "src/image/image.h"

namespace keylens::generator {

inline constexpr int64_t kPixelChannels = 4;

// The colours of the network: red, green, blue multiplied by alpha, and alpha,
// each from -1 to 1, one plane after another. Multiplied, because the colour of
// a transparent pixel is arbitrary and must not be something to learn.

// Writes 4 * height * width floats for an RGBA image.
void ToNetworkColours(const Image& image, std::span<float> planes);

// The RGBA image, straight alpha, of 4 * height * width floats; values outside
// [-1, 1] are clipped, and so is a colour brighter than its alpha.
Image FromNetworkColours(std::span<const float> planes, int width, int height);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PIXELS_H_
