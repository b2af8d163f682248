#include "src/render/report/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace keylens {
namespace {

struct OkLab {
  double lightness, a, b;
};

// The path through the colour space before it is walked at an even pace; s runs
// from 0 to 1. Chroma stays inside what sRGB can show.
OkLab PathAt(double s) {
  const double lightness = 0.995 - 0.595 * s;
  const double hue = (105.0 - 125.0 * s) * std::numbers::pi / 180.0;
  const double chroma =
      0.012 + 0.172 * std::sin(std::numbers::pi * std::pow(s, 0.72) * 0.86);
  return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

OkLab DarkPathAt(double s) {
  const double lightness = 0.225 + 0.725 * s;
  const double hue = (-35.0 + 137.0 * s) * std::numbers::pi / 180.0;
  const double chroma =
      0.012 + 0.158 * std::sin(std::numbers::pi * std::pow(s, 0.8) * 0.84);
  return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

double Distance(const OkLab& from, const OkLab& to) {
  return std::hypot(to.lightness - from.lightness, to.a - from.a,
                    to.b - from.b);
}

uint8_t EncodeSrgb(double linear) {
  const double clipped = std::clamp(linear, 0.0, 1.0);
  const double encoded = clipped <= 0.0031308
                             ? 12.92 * clipped
                             : 1.055 * std::pow(clipped, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(encoded * 255));
}

// OKLab to sRGB; the matrices are those of Ottosson's definition.
Colour ToColour(const OkLab& lab) {
  const double l =
      std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m =
      std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s =
      std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  return {EncodeSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          EncodeSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          EncodeSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

constexpr int kColours = 256;

// The path cut into pieces of equal length.
std::array<Colour, kColours> MakeTable(OkLab (*path)(double)) {
  constexpr int kPoints = 4096;
  std::array<double, kPoints + 1> travelled{};
  for (int i = 1; i <= kPoints; ++i) {
    travelled[i] = travelled[i - 1] + Distance(path((i - 1.0) / kPoints),
                                               path(double(i) / kPoints));
  }
  std::array<Colour, kColours> table;
  for (int i = 0; i < kColours; ++i) {
    const double wanted = travelled.back() * i / (kColours - 1);
    const auto found = std::ranges::lower_bound(travelled, wanted);
    const auto point =
        std::min<std::ptrdiff_t>(found - travelled.begin(), kPoints);
    table[i] = ToColour(path(double(point) / kPoints));
  }
  return table;
}

size_t PlaceInTable(float t) {
  const float clipped = std::clamp(t, 0.0f, 1.0f);
  return static_cast<size_t>(std::lround(clipped * (kColours - 1)));
}

}  // namespace

Colour HeatColour(float t) {
  static const std::array<Colour, kColours> table = MakeTable(PathAt);
  return table[PlaceInTable(t)];
}

Colour HeatColourOnDark(float t) {
  static const std::array<Colour, kColours> table = MakeTable(DarkPathAt);
  return table[PlaceInTable(t)];
}

}  // namespace keylens
