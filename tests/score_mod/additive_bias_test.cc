#include <gtest/gtest.h>
#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/score_mod/mod_testing.h"

namespace keylens {
namespace {

constexpr ScoreShape kShape = {2, 3, 11, 19};
constexpr TileCoord kTile = {1, 2, 3, 5, 4, 9, 11, 19};
constexpr int64_t kRowStride = 12;

// Expects a bias of that shape and layout to be added to a tile, and nothing
// else to be touched.
void ExpectAdded(const std::array<int64_t, 4>& shape, const Layout<4>& layout) {
  Buffer<float, 4> bias(shape, layout);
  float next = 0;
  bias.Fill([&] { return next += 0.25f; });
  const auto mod = AdditiveBias(bias.view());
  ASSERT_EQ(mod->Misfit(kShape), "");
  std::vector<float> scores(kTile.num_queries * kRowStride, 1.0f);
  mod->Forward({scores.data(), kRowStride, kTile});
  for (int64_t n = 0; n < static_cast<int64_t>(scores.size()); ++n) {
    const int64_t i = n / kRowStride, j = n % kRowStride;
    float wanted = 1.0f;
    if (j < kTile.num_keys) {
      wanted += bias({kTile.batch % shape[0], kTile.head % shape[1],
                      (kTile.first_query + i) % shape[2],
                      (kTile.first_key + j) % shape[3]});
    }
    ASSERT_EQ(scores[n], wanted) << "row " << i << ", column " << j;
  }
}

TEST(AdditiveBias, AnyLayout) {
  ExpectAdded({2, 3, 11, 19}, {});
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    ExpectAdded({2, 3, 11, 19}, RandomLayout<4>(random));
  }
}

TEST(AdditiveBias, AnAxisOfLengthOneIsBroadcast) {
  std::mt19937_64 random(6);
  for (const int64_t b : {1, 2}) {
    for (const int64_t h : {1, 3}) {
      ExpectAdded({b, h, 11, 1}, RandomLayout<4>(random));
      ExpectAdded({b, h, 1, 19}, RandomLayout<4>(random));
      ExpectAdded({b, h, 1, 1}, RandomLayout<4>(random));
    }
  }
}

TEST(AdditiveBias, MinusInfinityMasks) {
  const float bias = -std::numeric_limits<float>::infinity();
  const auto mod = AdditiveBias({&bias, {1, 1, 1, 1}, {0, 0, 0, 0}});
  std::vector<float> scores(kTile.num_queries * kRowStride, 1e30f);
  mod->Forward({scores.data(), kRowStride, kTile});
  EXPECT_EQ(scores[0], bias);
}

TEST(AdditiveBias, IsASum) {
  Buffer<float, 4> bias({1, 3, 11, 19});
  std::mt19937_64 random(8);
  std::normal_distribution<float> normal;
  bias.Fill([&] { return normal(random); });
  ExpectModIs(*AdditiveBias(bias.view()), kShape,
              [&](double score, int64_t, int64_t h, int64_t i, int64_t j) {
                return score + bias({0, h, i, j});
              });
}

TEST(AdditiveBias, PassesTheGradientThrough) {
  const float bias = 3;
  const auto mod = AdditiveBias({&bias, {1, 1, 1, 1}, {0, 0, 0, 0}});
  EXPECT_FALSE(mod->BackwardReadsScores());
  std::vector<float> grad(kTile.num_queries * kRowStride);
  for (std::size_t n = 0; n < grad.size(); ++n) grad[n] = 0.5f * n;
  const std::vector<float> before = grad;
  mod->Backward({nullptr, 0, kTile}, {grad.data(), kRowStride, kTile});
  EXPECT_EQ(grad, before);
}

TEST(AdditiveBias, NamesTheShapesThatDisagree) {
  const float bias[8] = {};
  const auto mod = AdditiveBias(Contiguous<const float>(bias, {1, 2, 1, 4}));
  EXPECT_EQ(mod->Misfit({5, 2, 9, 4}), "");
  EXPECT_EQ(mod->Misfit({5, 3, 9, 4}),
            "bias [1, 2, 1, 4] does not broadcast to the scores [5, 3, 9, 4]");
}

TEST(AdditiveBias, RefusesElementsWithoutData) {
  EXPECT_THROW(AdditiveBias(Contiguous<const float>(nullptr, {1, 1, 1, 1})),
               std::invalid_argument);
}

}  // namespace
}  // namespace keylens
