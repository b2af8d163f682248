#include "systems/generator/training/example_order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "src/random/random.h"
#include "systems/generator/data/captions.h"

namespace keylens::generator {
namespace {

std::vector<std::size_t> Shuffled(std::size_t count, uint64_t seed) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  Random random({seed, 1});
  for (std::size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  return order;
}

}  // namespace

ExampleOrder::ExampleOrder(const std::vector<std::string>& captions,
                           uint64_t seed)
    : pictures_(Shuffled(captions.size(), seed)) {
  if (captions.empty()) throw std::invalid_argument("ExampleOrder: empty");
  std::map<std::string, int> variants;
  for (const std::string& caption : captions) ++variants[MotifOf(caption)];
  double total = 0;
  for (const std::size_t picture : pictures_) {
    total += 1 / std::sqrt(variants[MotifOf(captions[picture])]);
    cumulative_.push_back(total);
  }
  for (double& sum : cumulative_) sum /= total;
}

std::size_t ExampleOrder::PictureOf(uint64_t example) const {
  // 2^64 / golden ratio: the fraction of example / ratio, in 64 bits.
  const uint64_t fraction = example * 0x9E3779B97F4A7C15u;
  const double place = static_cast<double>(fraction >> 11) * 0x1.0p-53;
  const auto found =
      std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, place);
  return pictures_[found - cumulative_.begin()];
}

}  // namespace keylens::generator
