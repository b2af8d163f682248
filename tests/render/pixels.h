#ifndef KEYLENS_TESTS_RENDER_PIXELS_H_
#define KEYLENS_TESTS_RENDER_PIXELS_H_

#include <array>
#include <ostream>

#include "src/image/image.h"
#include "src/render/draw/text.h"
#include "src/render/report/colour_map.h"

namespace keylens {

inline void PrintTo(const Colour& colour, std::ostream* out) {
  *out << '(' << int{colour.red} << ", " << int{colour.green} << ", "
       << int{colour.blue} << ')';
}

// The colour of a pixel of an RGB or RGBA picture.
inline Colour ColourOf(const Image& image, int x, int y) {
  const uint8_t* pixel =
      &image
           .pixels[(static_cast<size_t>(y) * image.width + x) * image.channels];
  return {pixel[0], pixel[1], pixel[2]};
}

// A picture of one colour.
inline Image Plain(int width, int height, Colour colour) {
  Image image{.width = width, .height = height, .channels = 3, .pixels = {}};
  image.pixels.resize(static_cast<size_t>(width) * height * 3);
  for (size_t i = 0; i < image.pixels.size(); i += 3) {
    image.pixels[i] = colour.red;
    image.pixels[i + 1] = colour.green;
    image.pixels[i + 2] = colour.blue;
  }
  return image;
}

// How many pixels of the box are not white.
inline int CountInk(const Image& image, const Box& box) {
  int ink = 0;
  for (int y = static_cast<int>(box.y); y < box.y + box.height; ++y) {
    for (int x = static_cast<int>(box.x); x < box.x + box.width; ++x) {
      ink += ColourOf(image, x, y) != Colour{255, 255, 255};
    }
  }
  return ink;
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_RENDER_PIXELS_H_
