#include <gtest/gtest.h>
#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/score_mod/mod_testing.h"

namespace keylens {
namespace {

// [num_heads, num_buckets] whose entry is its bucket; each head adds 1000.
Buffer<float, 2> BucketTable(int64_t num_heads, int64_t num_buckets,
                             const Layout<2>& layout = {}) {
  Buffer<float, 2> table({num_heads, num_buckets}, layout);
  ForEachIndex<2>(table.view().shape, [&](const auto& index) {
    table(index) = static_cast<float>(1000 * index[0] + index[1]);
  });
  return table;
}

// The bucket of a key that is `offset` after the one its query stands beside.
int64_t BucketOf(int64_t offset, int64_t num_buckets,
                 const RelativePositionBiasOptions& options) {
  const auto table = BucketTable(1, num_buckets);
  const auto mod = RelativePositionBias(table.view(), options);
  const int64_t size = std::abs(offset) + 1;
  const int64_t query = offset < 0 ? size - 1 : 0;
  float score = 0;
  mod->Forward({&score, 1, {0, 0, query, 1, query + offset, 1, size, size}});
  return static_cast<int64_t>(score);
}

// The distances at which T5's buckets start, by hand: with 16 buckets a
// direction the k-th wide one at 8 * 16^(k / 8) = 8 * 2^(k / 2), rounded up.
TEST(RelativePositionBias, HasTheBucketsOfT5) {
  const std::vector<int64_t> starts = {0, 1,  2,  3,  4,  5,  6,  7,
                                       8, 12, 16, 23, 32, 46, 64, 91};
  for (int64_t distance = 0; distance < 300; ++distance) {
    const int64_t bucket =
        std::upper_bound(starts.begin(), starts.end(), distance) -
        starts.begin() - 1;
    EXPECT_EQ(BucketOf(-distance, 32, {}), bucket) << distance;
    if (distance == 0) continue;
    EXPECT_EQ(BucketOf(distance, 32, {}), bucket + 16) << distance;
  }
}

// In one direction the k-th wide bucket starts at 16 * 8^(k / 16).
TEST(RelativePositionBias, HasTheBucketsOfT5sDecoder) {
  const RelativePositionBiasOptions options = {.bidirectional = false,
                                               .max_distance = 128};
  for (int64_t distance = 0; distance < 300; ++distance) {
    int64_t bucket = distance;
    if (distance >= 16) {
      bucket = 16;
      while (bucket < 31 &&
             std::pow(distance / 16.0, 16) >= std::pow(8.0, bucket - 15)) {
        ++bucket;
      }
    }
    EXPECT_EQ(BucketOf(-distance, 32, options), bucket) << distance;
    EXPECT_EQ(BucketOf(distance, 32, options), distance == 0 ? bucket : 0);
  }
}

// Where the power of the header's formula is a whole number, its rounding must
// not move the start of the bucket: 2^k distances with a bucket for each.
TEST(RelativePositionBias, StartsBucketsAtWholePowers) {
  constexpr int64_t kExact = 20;  // the k-th wide bucket starts at 20 * 2^k
  const RelativePositionBiasOptions options = {.bidirectional = false,
                                               .max_distance = kExact << 20};
  for (int k = 0; k < 20; ++k) {
    const int64_t start = kExact << k;
    EXPECT_EQ(BucketOf(-start, 2 * kExact, options), kExact + k);
    EXPECT_EQ(BucketOf(-start + 1, 2 * kExact, options), kExact + k - 1);
  }
}

TEST(RelativePositionBias, AddsTheBucketsBias) {
  std::mt19937_64 random(9);
  for (const auto& [queries, keys] : {std::pair{13, 13}, {9, 41}, {41, 9}}) {
    for (const bool bidirectional : {true, false}) {
      const RelativePositionBiasOptions options = {bidirectional, 20};
      const auto table = BucketTable(3, 8, RandomLayout<2>(random));
      const int64_t shift = keys - queries;
      ExpectModIs(
          *RelativePositionBias(table.view(), options), {2, 3, queries, keys},
          [&](double score, int64_t, int64_t h, int64_t i, int64_t j) {
            return score + 1000 * h + BucketOf(j - i - shift, 8, options);
          });
    }
  }
}

TEST(RelativePositionBias, FewestBuckets) {
  EXPECT_EQ(BucketOf(0, 4, {true, 2}), 0);
  EXPECT_EQ(BucketOf(-1, 4, {true, 2}), 1);
  EXPECT_EQ(BucketOf(1, 4, {true, 2}), 3);
  EXPECT_EQ(BucketOf(-1'000'000'000'000, 2, {false, 2}), 1);
  EXPECT_EQ(BucketOf(-5, 3, {false, 2}), 2);
}

TEST(RelativePositionBias, WantsARowForEachHead) {
  const auto table = BucketTable(2, 8);
  const auto mod = RelativePositionBias(table.view());
  EXPECT_FALSE(mod->BackwardReadsScores());
  EXPECT_EQ(mod->Misfit({9, 2, 5, 5}), "");
  EXPECT_EQ(mod->Misfit({9, 3, 5, 5}), "table [2, 8] has 2 rows for 3 heads");
}

std::string Refusal(const TensorView<const float, 2>& table,
                    const RelativePositionBiasOptions& options = {}) {
  try {
    RelativePositionBias(table, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RelativePositionBias, RefusesATableThatMakesNoBuckets) {
  const auto view = [](int64_t num_buckets) {
    static const float kData[64] = {};
    return Contiguous(kData, {2, num_buckets});
  };
  EXPECT_EQ(Refusal(view(32)), "");
  EXPECT_EQ(Refusal(view(7)),
            "RelativePositionBias: table [2, 7] has an odd number of buckets "
            "for two directions");
  EXPECT_EQ(Refusal(view(7), {.bidirectional = false}), "");
  EXPECT_EQ(Refusal(view(2)),
            "RelativePositionBias: table [2, 2] has less than 2 buckets per "
            "direction");
  EXPECT_EQ(Refusal(view(32), {true, 8}),
            "RelativePositionBias: max_distance is 8; table [2, 32] has a "
            "bucket for each distance below 8");
  EXPECT_EQ(Refusal(Contiguous<const float>(nullptr, {2, 8})),
            "RelativePositionBias: data is null");
}

}  // namespace
}  // namespace keylens
