#include "tests/attention/random_call.h"

#include <keylens/attention.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/attention/element.h"

namespace keylens {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

int64_t Between(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + Below(random, high - low + 1);
}

CausalAlignment RandomAlignment(std::mt19937_64& random) {
  return OneIn(random, 2) ? CausalAlignment::kTopLeft
                          : CausalAlignment::kBottomRight;
}

// Document ids for each of `length` places: in stretches, or in no order.
std::vector<int32_t> RandomDocuments(std::mt19937_64& random, int64_t length) {
  if (length == 0) return {};
  const int64_t longest = 1 + Below(random, OneIn(random, 2) ? 4 : length);
  std::vector<int32_t> ids;
  while (static_cast<int64_t>(ids.size()) < length) {
    const auto id = static_cast<int32_t>(Below(random, 5)) - 1;
    ids.insert(ids.end(), 1 + Below(random, longest), id);
  }
  ids.resize(length);
  return ids;
}

// [b, i, which, h, d] in memory, as one linear layer leaves three tensors.
Layout<4> PackedThird(int64_t heads, int64_t dim, int which) {
  Layout<4> layout = LenBeforeHeads();
  layout.offset = which * heads * dim;
  layout.gap[2] = 2 * heads * dim;
  return layout;
}

Layout<4> RandomInputLayout(std::mt19937_64& random, int64_t heads,
                            int64_t dim) {
  switch (Below(random, 8)) {
    case 0:
    case 1:
      return {};
    case 2:
      return LenBeforeHeads();
    case 3:
      return ChannelsFirst();
    case 4:
      return PackedThird(heads, dim, static_cast<int>(Below(random, 3)));
    default:
      break;
  }
  Layout<4> layout = RandomLayout<4>(random);
  if (OneIn(random, 4)) layout.repeated[Below(random, 4)] = true;
  return layout;
}

// Beside an edge of tiles or vectors, or on it.
int64_t LengthAtAnEdge(std::mt19937_64& random) {
  constexpr int64_t kEdges[] = {8, 12, 16, 32, 48, 64, 96, 256, 512};
  return kEdges[Below(random, 9)] + Between(random, -1, 1);
}

}  // namespace

int64_t Below(std::mt19937_64& random, int64_t end) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
}

bool OneIn(std::mt19937_64& random, int64_t n) { return Below(random, n) == 0; }

RandomOptions::RandomOptions(std::mt19937_64& random,
                             const AttentionShape& shape, Fits fits)
    : live_({shape.batch, OneIn(random, 2) ? 1 : shape.num_heads,
             shape.query_len, shape.kv_len},
            RandomLayout<4>(random)),
      bias_({1, shape.num_heads, OneIn(random, 2) ? 1 : shape.query_len,
             shape.kv_len},
            RandomLayout<4>(random)),
      table_({shape.num_heads, 4 + 2 * Below(random, 15)},
             RandomLayout<2>(random)) {
  MakeMasks(random, shape, fits);
  MakeMods(random, shape, fits);
  MakeRest(random, shape);
  if (fits == Fits::kAnyEntry) options_.dropout = {};
}

void RandomOptions::MakeMasks(std::mt19937_64& random,
                              const AttentionShape& shape, Fits fits) {
  const auto keys = [&] { return Below(random, shape.kv_len + 2); };
  std::vector<int64_t> live_keys(shape.batch);
  for (int64_t& live : live_keys) live = keys();
  const auto limit = [&] {
    return OneIn(random, 2) ? Below(random, 9) - 1 : keys();
  };
  const int64_t left = limit(), right = limit();
  masks_.push_back(CausalMask(RandomAlignment(random)));
  masks_.push_back(SlidingWindowMask(left, right, RandomAlignment(random)));
  masks_.push_back(PrefixMask(keys()));
  if (fits != Fits::kAnyEntry) masks_.push_back(KeyPaddingMask(live_keys));
  if (fits == Fits::kOneShape) {
    const auto documents = RandomDocuments(random, shape.query_len);
    masks_.push_back(
        DocumentMask(documents, RandomDocuments(random, shape.kv_len)));
    const int64_t sparseness = Between(random, 2, 10);
    live_.Fill([&] { return !OneIn(random, sparseness); });
    masks_.push_back(DenseMask(live_.view()));
  }
  const uint64_t mask = random() % (masks_.size() + 3);
  if (mask < masks_.size()) options_.mask = masks_[mask].get();
  if (OneIn(random, 4)) options_.mask = Conjunction(random);
}

// Of up to three of the masks.
const Mask* RandomOptions::Conjunction(std::mt19937_64& random) {
  std::vector<const Mask*> some;
  for (int64_t n = Between(random, 0, 3); n > 0; --n) {
    some.push_back(masks_[random() % masks_.size()].get());
  }
  conjunction_ = AllOf(some);
  return conjunction_.get();
}

void RandomOptions::MakeMods(std::mt19937_64& random,
                             const AttentionShape& shape, Fits fits) {
  std::normal_distribution<float> normal;
  table_.Fill([&] { return normal(random); });
  std::vector<float> slopes = AlibiSlopes(shape.num_heads);
  if (!slopes.empty() && OneIn(random, 2))
    slopes.back() = -0.1f * normal(random);
  mods_.push_back(AlibiBias(slopes));
  mods_.push_back(SoftCap(std::exp2(normal(random))));
  mods_.push_back(RelativePositionBias(
      table_.view(), {OneIn(random, 2), Between(random, 17, 216)}));
  if (fits == Fits::kOneShape) {
    const bool masks = OneIn(random, 3);
    bias_.Fill(
        [&] { return masks && OneIn(random, 5) ? -kInf : normal(random); });
    mods_.push_back(AdditiveBias(bias_.view()));
  }
  for (const auto& mod : mods_) {
    if (OneIn(random, 5)) options_.score_mods.push_back(mod.get());
  }
  std::shuffle(options_.score_mods.begin(), options_.score_mods.end(), random);
}

void RandomOptions::MakeRest(std::mt19937_64& random,
                             const AttentionShape& shape) {
  std::normal_distribution<float> normal;
  if (OneIn(random, 3)) options_.scale = 2 * normal(random);
  if (OneIn(random, 5)) {
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      sinks_.push_back(OneIn(random, 8) ? -kInf : 3 * normal(random));
    }
    options_.sinks = sinks_;
  }
  if (OneIn(random, 6)) {
    options_.dropout = {static_cast<float>(Between(random, 1, 9)) / 10,
                        random()};
  }
  options_.num_threads = static_cast<int>(Below(random, 5));
}

AttentionShape RandomShapeOfAnyKind(std::mt19937_64& random) {
  switch (Below(random, 16)) {
    case 0:
      return RandomShape(random, 200, 100);
    case 1:
      return RandomShape(random, 60, 256);
    case 2: {  // more keys than are packed at a time, or owned by a unit
      AttentionShape shape = RandomShape(random, 50, 60);
      shape.batch = 1;
      shape.kv_len = Between(random, 1000, 3000);
      return shape;
    }
    case 3:
    case 4: {  // as when decoding
      AttentionShape shape = RandomShape(random, 4, 130);
      shape.kv_len = Between(random, 1, OneIn(random, 3) ? 1600 : 300);
      return shape;
    }
    case 5:
    case 6: {
      AttentionShape shape = RandomShape(random, 9, 33);
      (OneIn(random, 2) ? shape.query_len : shape.kv_len) =
          LengthAtAnEdge(random);
      return shape;
    }
    case 7: {
      AttentionShape shape = RandomShape(random, 9, 9);
      int64_t* axes[] = {&shape.batch, &shape.query_len, &shape.kv_len};
      *axes[Below(random, 3)] = 0;
      return shape;
    }
    default:
      return RandomShape(random, 40, 40);
  }
}

AttentionCase RandomCase(std::mt19937_64& random, const AttentionShape& shape) {
  const auto layout = [&](int64_t heads, int64_t dim) {
    return RandomInputLayout(random, heads, dim);
  };
  const std::array<Layout<4>, 4> inputs = {
      layout(shape.num_heads, shape.head_dim),
      layout(shape.num_kv_heads, shape.head_dim),
      layout(shape.num_kv_heads, shape.value_dim),
      layout(shape.num_heads, shape.value_dim)};
  const auto out = OneIn(random, 2) ? Layout<4>{} : RandomLayout<4>(random);
  AttentionCase attention(shape, random(), inputs, out,
                          RandomLayout<3>(random));
  // Of a size at which weights are even, or nearly all in one place.
  const float size = std::exp2(static_cast<float>(Between(random, -2, 3)));
  for (Buffer<float, 4>* tensor : {&attention.query, &attention.value}) {
    const std::vector<float> values = tensor->Values();
    std::size_t i = 0;
    tensor->Fill([&] { return values[i++] * size; });
  }
  return attention;
}

}  // namespace keylens
