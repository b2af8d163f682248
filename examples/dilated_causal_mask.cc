// A mask of one's own, and how to check it; docs/adding_a_mask.md explains it
// step by step.

#include <keylens/attention.h>
#include <keylens/mask.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

// A query sees itself and every `step`-th key back from it.
class DilatedCausalMask : public keylens::Mask {
 public:
  explicit DilatedCausalMask(int64_t step) : step_(step) {
    if (step < 1) throw std::invalid_argument("DilatedCausalMask: step < 1");
  }

  bool IsLive(int64_t query, int64_t key) const {
    return key <= query && (query - key) % step_ == 0;
  }

  keylens::TileClass Classify(const keylens::TileCoord& coord) const override {
    const int64_t last_query = coord.first_query + coord.num_queries - 1;
    const int64_t last_key = coord.first_key + coord.num_keys - 1;
    if (coord.first_key > last_query) return keylens::TileClass::kEmpty;
    if (step_ == 1 && last_key <= coord.first_query) {
      return keylens::TileClass::kFull;
    }
    return keylens::TileClass::kPartial;
  }

  void Apply(keylens::ScoreTile scores) const override {
    const keylens::TileCoord& coord = scores.coord;
    for (int64_t i = 0; i < coord.num_queries; ++i) {
      float* row = scores.Row(i);
      for (int64_t j = 0; j < coord.num_keys; ++j) {
        if (!IsLive(coord.first_query + i, coord.first_key + j)) {
          row[j] = -std::numeric_limits<float>::infinity();
        }
      }
    }
  }

 private:
  int64_t step_;
};

// One head of attention over random numbers.
constexpr int64_t kLen = 700, kDim = 24;

struct Tensors {
  std::vector<float> query = std::vector<float>(kLen * kDim);
  std::vector<float> key = query;
  std::vector<float> value = query;
};

std::vector<float> WithTheEngine(const Tensors& tensors,
                                 const keylens::Mask& mask) {
  std::vector<float> out(kLen * kDim);
  keylens::AttentionOptions options;
  options.mask = &mask;
  const auto view = [](auto* data) {
    return keylens::Contiguous(data, {1, 1, kLen, kDim});
  };
  keylens::AttentionForward<float>(
      {view(tensors.query.data()), view(tensors.key.data()),
       view(tensors.value.data())},
      options, {view(out.data()), {}});
  return out;
}

// The same by the formula, one query at a time, in double: no tiles, and the
// rule of the mask instead of the mask.
std::vector<double> WithPlainLoops(const Tensors& tensors,
                                   const DilatedCausalMask& mask) {
  std::vector<double> out(kLen * kDim);
  for (int64_t i = 0; i < kLen; ++i) {
    std::vector<double> weights(kLen);
    double sum = 0;
    for (int64_t j = 0; j < kLen; ++j) {
      if (!mask.IsLive(i, j)) continue;
      double product = 0;
      for (int64_t d = 0; d < kDim; ++d) {
        product += static_cast<double>(tensors.query[i * kDim + d]) *
                   tensors.key[j * kDim + d];
      }
      sum += weights[j] = std::exp(product / std::sqrt(kDim));
    }
    for (int64_t j = 0; j < kLen; ++j) {
      for (int64_t d = 0; d < kDim; ++d) {
        out[i * kDim + d] += weights[j] / sum * tensors.value[j * kDim + d];
      }
    }
  }
  return out;
}

}  // namespace

int main() {
  Tensors tensors;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (auto* tensor : {&tensors.query, &tensors.key, &tensors.value}) {
    for (float& x : *tensor) x = normal(random);
  }

  bool right = true;
  for (const int64_t step : {1, 2, 5, 64, 1000}) {
    const DilatedCausalMask mask(step);
    const auto out = WithTheEngine(tensors, mask);
    const auto wanted = WithPlainLoops(tensors, mask);
    double worst = 0;
    for (std::size_t n = 0; n < out.size(); ++n) {
      worst = std::max(worst, std::abs(out[n] - wanted[n]));
    }
    std::printf("every %d. key: differs by %.1e at most\n",
                static_cast<int>(step), worst);
    right = right && worst < 1e-5;
  }
  return right ? 0 : 1;
}
