// Whether two views share memory, against the obvious way: every address of
// both.

#include "src/attention/door/overlap.h"

#include <gtest/gtest.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tests/attention/buffer.h"

namespace keylens::internal {
namespace {

template <typename T, int kRank>
std::set<const T*> Addresses(const TensorView<T, kRank>& view) {
  std::set<const T*> addresses;
  ForEachIndex<kRank>(view.shape, [&](const auto& index) {
    addresses.insert(view.data + OffsetOf(view, index));
  });
  return addresses;
}

bool ShareAnElement(const TensorView<float, 4>& a,
                    const TensorView<float, 4>& b) {
  const auto of_a = Addresses(a);
  for (const float* address : Addresses(b)) {
    if (of_a.contains(address)) return true;
  }
  return false;
}

// A view of few elements with small strides of either sign, somewhere near the
// middle of `memory`.
TensorView<float, 4> RandomView(std::mt19937_64& random, float* memory) {
  TensorView<float, 4> view;
  view.data = memory + random() % 40;
  for (int axis = 0; axis < 4; ++axis) {
    view.shape[axis] = 1 + static_cast<int64_t>(random() % 3);
    view.strides[axis] = static_cast<int64_t>(random() % 41) - 20;
  }
  return view;
}

TEST(Overlap, IsNeverMissed) {
  std::vector<float> memory(1000);
  std::mt19937_64 random(1);
  int shared = 0, apart = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto a = RandomView(random, memory.data() + 400);
    const auto b = RandomView(random, memory.data() + 400 + random() % 80);
    const bool actual = Overlap(FootprintOf(a), FootprintOf(b));
    if (ShareAnElement(a, b)) {
      ++shared;
      ASSERT_TRUE(actual);
    } else {
      ++apart;
      refused += actual;
    }
    ASSERT_EQ(actual, Overlap(FootprintOf(b), FootprintOf(a)));
  }
  EXPECT_GT(shared, 1000);
  EXPECT_GT(apart, 1000);
  EXPECT_EQ(refused, 0) << "of " << apart << " legal calls refused";
}

// The parts of packed memory lie between each other's elements.
TEST(Overlap, PartsOfPackedMemoryAreApart) {
  std::vector<float> memory(100'000);
  for (const int64_t parts : {2, 3}) {
    for (const int64_t heads : {1, 4}) {
      for (const int64_t dim : {1, 7, 64}) {
        constexpr int64_t kBatch = 2, kLen = 9;
        const int64_t row = parts * heads * dim;
        const auto part = [&](int64_t which) {
          return TensorView<float, 4>{memory.data() + which * heads * dim,
                                      {kBatch, heads, kLen, dim},
                                      {kLen * row, dim, row, 1}};
        };
        EXPECT_FALSE(Overlap(FootprintOf(part(0)), FootprintOf(part(1))));
        EXPECT_FALSE(
            Overlap(FootprintOf(part(parts - 1)), FootprintOf(part(0))));
        EXPECT_TRUE(Overlap(FootprintOf(part(1)), FootprintOf(part(1))));
        auto shifted = part(1);
        shifted.data -= 1;  // its first element is the last of part 0
        EXPECT_TRUE(Overlap(FootprintOf(part(0)), FootprintOf(shifted)));
      }
    }
  }
}

// Channels first: the parts of [b, 3, heads, dim, positions] are apart, too.
TEST(Overlap, PartsOfAFeatureMapAreApart) {
  constexpr int64_t kBatch = 2, kHeads = 4, kDim = 8, kPositions = 25;
  std::vector<float> memory(kBatch * 3 * kHeads * kDim * kPositions);
  const auto part = [&](int64_t which) {
    return TensorView<float, 4>{
        memory.data() + which * kHeads * kDim * kPositions,
        {kBatch, kHeads, kPositions, kDim},
        {3 * kHeads * kDim * kPositions, kDim * kPositions, 1, kPositions}};
  };
  EXPECT_FALSE(Overlap(FootprintOf(part(0)), FootprintOf(part(1))));
  EXPECT_FALSE(Overlap(FootprintOf(part(1)), FootprintOf(part(2))));
  EXPECT_TRUE(Overlap(FootprintOf(part(2)), FootprintOf(part(2))));
}

TEST(Overlap, NothingOverlapsAnEmptyView) {
  std::vector<float> memory(100);
  const auto some = Contiguous(memory.data(), {1, 2, 3, 4});
  const auto none = Contiguous(memory.data(), {1, 2, 0, 4});
  const auto null = Contiguous<float>(nullptr, {1, 2, 3, 4});
  EXPECT_FALSE(Overlap(FootprintOf(some), FootprintOf(none)));
  EXPECT_FALSE(Overlap(FootprintOf(none), FootprintOf(some)));
  EXPECT_FALSE(Overlap(FootprintOf(some), FootprintOf(null)));
}

// Elements of different sizes: a float and the int64 that it lies within.
TEST(Overlap, CountsBytes) {
  alignas(8) char memory[64];
  const TensorView<int64_t, 4> keys = {
      reinterpret_cast<int64_t*>(memory), {1, 1, 1, 4}, {0, 0, 0, 2}};
  const TensorView<float, 4> within = {
      reinterpret_cast<float*>(memory + 4), {1, 1, 1, 1}, {0, 0, 0, 0}};
  const TensorView<float, 4> between = {
      reinterpret_cast<float*>(memory + 8), {1, 1, 1, 3}, {0, 0, 0, 4}};
  EXPECT_TRUE(Overlap(FootprintOf(keys), FootprintOf(within)));
  EXPECT_FALSE(Overlap(FootprintOf(keys), FootprintOf(between)));
}

}  // namespace
}  // namespace keylens::internal
