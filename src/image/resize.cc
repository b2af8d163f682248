#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/image/check_image.h"
#include "src/image/image.h"

namespace keylens {
namespace {

// The source samples [first, first + weights.size()) that make one sample of
// the result; the weights sum to 1.
struct Tap {
  int first = 0;
  std::vector<float> weights;
};

// A triangle of half-width max(1, from / to) source samples around each sample
// of the result: linear interpolation when growing, an area-weighted mean when
// shrinking.
Tap TriangleTap(int from, int to, int sample) {
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(scale, 1.0);
  const double center = (sample + 0.5) * scale;
  const auto weight = [&](int s) {
    return std::max(0.0, 1 - std::abs(s + 0.5 - center) / reach);
  };
  Tap tap;
  tap.first = std::max(0, static_cast<int>(std::floor(center - reach + 0.5)));
  const int last =
      std::min(from, static_cast<int>(std::floor(center + reach + 0.5)));
  double sum = 0;
  for (int s = tap.first; s < last; ++s) sum += weight(s);
  tap.weights.reserve(last - tap.first);
  for (int s = tap.first; s < last; ++s)
    tap.weights.push_back(static_cast<float>(weight(s) / sum));
  return tap;
}

std::vector<Tap> TriangleTaps(int from, int to) {
  std::vector<Tap> taps(to);
  for (int i = 0; i < to; ++i) taps[i] = TriangleTap(from, to, i);
  return taps;
}

// One row of the picture as float; colours times alpha where there is alpha.
void PremultiplyRow(const Image& image, int y, std::vector<float>& row) {
  const std::size_t count = std::size_t{1} * image.width * image.channels;
  const uint8_t* in = image.pixels.data() + count * y;
  std::copy(in, in + count, row.begin());
  if (image.channels != 4) return;
  for (std::size_t i = 0; i < count; i += 4) {
    const float alpha = row[i + 3] / 255.0f;
    for (int c = 0; c < 3; ++c) row[i + c] *= alpha;
  }
}

// out[channels of sample i] = the taps' mix of the samples in `row`.
void MixRow(const std::vector<float>& row, const std::vector<Tap>& taps,
            int channels, float* out) {
  for (const Tap& tap : taps) {
    const float* in = row.data() + std::size_t{1} * tap.first * channels;
    for (int c = 0; c < channels; ++c) {
      float sum = 0;
      for (std::size_t s = 0; s < tap.weights.size(); ++s)
        sum += tap.weights[s] * in[s * channels + c];
      *out++ = sum;
    }
  }
}

uint8_t Rounded(float value) {
  return static_cast<uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f));
}

// Back to straight alpha. A pixel that is not seen has no colour.
void StoreRow(const std::vector<float>& row, int channels, uint8_t* out) {
  for (std::size_t i = 0; i < row.size(); i += channels) {
    const float alpha = channels == 4 ? row[i + 3] : 255.0f;
    const bool seen = channels != 4 || Rounded(alpha) > 0;
    const float unmultiply = channels == 4 ? 255.0f / alpha : 1.0f;
    const int colours = channels == 4 ? 3 : channels;
    for (int c = 0; c < colours; ++c)
      out[i + c] = seen ? Rounded(row[i + c] * unmultiply) : uint8_t{0};
    if (channels == 4) out[i + 3] = Rounded(alpha);
  }
}

void CheckSizes(int width, int height) {
  if (width <= 0 || height <= 0 || width > kMaxPixels / height) {
    throw Error(
        "a picture cannot be brought to " + std::to_string(width) + " x " +
        std::to_string(height) +
        " pixels; both sides must be positive, and their product at most " +
        std::to_string(kMaxPixels));
  }
}

// Rows of the result that are being summed. Source rows come in order, each is
// seen once, and a row of the result is kept only from the first source row
// that counts for it to the last.
class OpenRows {
 public:
  OpenRows(int from, Image& out)
      : from_(from),
        out_(out),
        stride_(std::size_t{1} * out.width * out.channels) {}

  void Add(int s, const std::vector<float>& row) {
    while (first_ + static_cast<int>(open_.size()) < out_.height) {
      Tap tap = TriangleTap(from_, out_.height,
                            first_ + static_cast<int>(open_.size()));
      if (tap.first > s) break;
      open_.push_back({std::move(tap), std::vector<float>(stride_)});
    }
    for (OpenRow& open : open_) {
      const float weight = open.tap.weights[s - open.tap.first];
      for (std::size_t i = 0; i < stride_; ++i) open.sum[i] += weight * row[i];
    }
    CloseAfter(s);
  }

 private:
  struct OpenRow {
    Tap tap;
    std::vector<float> sum;
  };

  void CloseAfter(int s) {
    while (!open_.empty() &&
           open_.front().tap.first +
                   static_cast<int>(open_.front().tap.weights.size()) <=
               s + 1) {
      StoreRow(open_.front().sum, out_.channels,
               out_.pixels.data() + stride_ * first_);
      open_.pop_front();
      ++first_;
    }
  }

  int from_;  // rows of the source
  Image& out_;
  std::size_t stride_;
  int first_ = 0;  // the row of the result that open_[0] becomes
  std::deque<OpenRow> open_;
};

}  // namespace

Image Resize(const Image& image, int width, int height) {
  CheckImage(image, "Resize");
  CheckSizes(width, height);
  if (width == image.width && height == image.height) return image;
  const std::size_t narrow = std::size_t{1} * width * image.channels;
  Image out{width, height, image.channels,
            std::vector<uint8_t>(narrow * height)};
  const std::vector<Tap> across = TriangleTaps(image.width, width);
  std::vector<float> wide_row(std::size_t{1} * image.width * image.channels);
  std::vector<float> row(narrow);
  OpenRows rows(image.height, out);
  for (int y = 0; y < image.height; ++y) {
    PremultiplyRow(image, y, wide_row);
    MixRow(wide_row, across, image.channels, row.data());
    rows.Add(y, row);
  }
  return out;
}

}  // namespace keylens
