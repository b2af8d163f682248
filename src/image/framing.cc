#include "src/image/framing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace keylens {
namespace {

constexpr int kNear = 255 / 20;  // of the ground's colour

// By the weights of ITU-R BT.601, as PNG libraries and ImageMagick take them.
Image ToGrey(const Image& rgb) {
  Image grey{rgb.width, rgb.height, 1, {}};
  grey.pixels.reserve(rgb.pixels.size() / 3);
  for (std::size_t i = 0; i < rgb.pixels.size(); i += 3) {
    const int sum =
        299 * rgb.pixels[i] + 587 * rgb.pixels[i + 1] + 114 * rgb.pixels[i + 2];
    grey.pixels.push_back(static_cast<uint8_t>((sum + 500) / 1000));
  }
  return grey;
}

Image InChannels(const Image& image, int channels) {
  if (image.channels == channels) return image;
  const Image rgb = OverWhite(image);
  return channels == 1 ? ToGrey(rgb) : rgb;
}

using Colour = std::array<int, 3>;

Colour ColourAt(const Image& image, int x, int y) {
  Colour colour = {};
  const auto at =
      (static_cast<std::size_t>(y) * image.width + x) * image.channels;
  for (int c = 0; c < image.channels; ++c) colour[c] = image.pixels[at + c];
  return colour;
}

Colour CornerMean(const Image& image) {
  const int right = image.width - 1, bottom = image.height - 1;
  Colour mean = {};
  for (const Colour& corner :
       {ColourAt(image, 0, 0), ColourAt(image, right, 0),
        ColourAt(image, 0, bottom), ColourAt(image, right, bottom)}) {
    for (int c = 0; c < 3; ++c) mean[c] += corner[c];
  }
  for (int& channel : mean) channel = (channel + 2) / 4;
  return mean;
}

bool Bright(const Colour& colour, int channels) {
  int sum = 0;
  for (const int channel : colour) sum += channel;
  return 2 * sum > 255 * channels;
}

bool Near(const Colour& a, const Colour& b) {
  for (int c = 0; c < 3; ++c) {
    if (std::abs(a[c] - b[c]) > kNear) return false;
  }
  return true;
}

void Negate(Image& image) {
  for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(255 - value);
}

// A rectangle of pixels.
struct Part {
  int x = 0, y = 0, width = 0, height = 0;
};

// The rows and columns between those that hold the ground's colour alone; the
// whole picture where nothing else is in it.
Part WithoutGround(const Image& image) {
  const Colour ground = CornerMean(image);
  int left = image.width, right = -1, top = image.height, bottom = -1;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (Near(ColourAt(image, x, y), ground)) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = y;
    }
  }
  if (right < 0) return {0, 0, image.width, image.height};
  return {left, top, right - left + 1, bottom - top + 1};
}

// Copies `part` of one picture to the place (x, y) of another with as many
// channels.
void Copy(const Image& from, const Part& part, Image& to, int x, int y) {
  const int64_t channels = from.channels;
  for (int row = 0; row < part.height; ++row) {
    std::copy_n(
        from.pixels.begin() +
            (int64_t{part.y + row} * from.width + part.x) * channels,
        part.width * channels,
        to.pixels.begin() + (int64_t{y + row} * to.width + x) * channels);
  }
}

Image Black(int width, int height, int channels) {
  const auto pixels = static_cast<std::size_t>(width) * height;
  return {width, height, channels, std::vector<uint8_t>(pixels * channels)};
}

// The picture in the model's channels, on the model's ground.
Image OnGround(const Image& image, const Framing& framing) {
  Image result = InChannels(image, framing.channels);
  if (framing.ground != Ground::kDark) return result;
  const bool bright = Bright(CornerMean(result), framing.channels);
  const bool native =
      std::max(image.width, image.height) == framing.content && !bright;
  if (native) return result;
  if (bright) Negate(result);
  const Part part = WithoutGround(result);
  Image cut = Black(part.width, part.height, framing.channels);
  Copy(result, part, cut, 0, 0);
  return cut;
}

int Scaled(int length, int content, int longest) {
  const double scaled = static_cast<double>(length) * content / longest;
  return std::max(1, static_cast<int>(std::lround(scaled)));
}

}  // namespace

Image Frame(const Image& image, const Framing& framing, int detail) {
  const Image prepared = OnGround(image, framing);
  const int longest = std::max(prepared.width, prepared.height);
  const int longer = framing.content * detail, side = framing.size * detail;
  const Image content =
      Resize(prepared, Scaled(prepared.width, longer, longest),
             Scaled(prepared.height, longer, longest));
  Image square = Black(side, side, framing.channels);
  Copy(content, {0, 0, content.width, content.height}, square,
       (side - content.width) / 2, (side - content.height) / 2);
  return square;
}

}  // namespace keylens
