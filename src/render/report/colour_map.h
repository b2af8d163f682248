#ifndef KEYLENS_SRC_RENDER_REPORT_COLOUR_MAP_H_
#define KEYLENS_SRC_RENDER_REPORT_COLOUR_MAP_H_

#include <cstdint>

namespace keylens {

// 8-bit sRGB.
struct Colour {
  uint8_t red = 0, green = 0, blue = 0;

  friend bool operator==(const Colour&, const Colour&) = default;
};

// The colour of a heat map for the share `t` of its scale: from paper white at
// 0 through yellow, orange and red to a deep plum at 1. Equal steps of t are
// equal steps to the eye (in the OKLab colour space, Ottosson 2020), and
// lightness falls throughout, so that the map survives a grey printer and
// colour blindness. Below 0 and above 1 the end's colour; t is not NaN.
Colour HeatColour(float t);

// The same for a dark page: from the page's near-black at 0 through plum, red
// and orange to a pale yellow at 1, in equal steps, lightness rising.
Colour HeatColourOnDark(float t);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_REPORT_COLOUR_MAP_H_
