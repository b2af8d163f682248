#include "tests/score_mod/mod_testing.h"

#include <gtest/gtest.h>
#include <keylens/score_mod.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/attention/random_tile.h"

namespace keylens {
namespace {

constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The floats of one tile, and others between its rows.
class TileMemory {
 public:
  template <typename Next>
  TileMemory(const TileCoord& coord, int64_t gap, Next next)
      : coord_(coord),
        stride_(coord.num_keys + gap),
        values_(static_cast<std::size_t>(coord.num_queries * stride_)) {
    for (float& value : values_) value = next();
  }

  ScoreTile Tile() { return {values_.data(), stride_, coord_}; }
  float At(int64_t i, int64_t j) const { return values_[i * stride_ + j]; }

  // Whether what lies between the rows is alike; with `whole`, and the rows.
  bool SameAs(const TileMemory& other, bool whole) const {
    for (std::size_t n = 0; n < values_.size(); ++n) {
      const bool is_gap = static_cast<int64_t>(n) % stride_ >= coord_.num_keys;
      const bool same =
          values_[n] == other.values_[n] ||
          (std::isnan(values_[n]) && std::isnan(other.values_[n]));
      if ((is_gap || whole) && !same) return false;
    }
    return true;
  }

 private:
  TileCoord coord_;
  int64_t stride_;
  std::vector<float> values_;
};

// Calls visit(i, j) for the rows and columns of a tile.
template <typename Visit>
void ForEachPlace(const TileCoord& coord, Visit visit) {
  for (int64_t i = 0; i < coord.num_queries; ++i) {
    for (int64_t j = 0; j < coord.num_keys; ++j) visit(i, j);
  }
}

// The formula at row i and column j of a tile.
double ValueAt(const ScoreFormula& formula, const TileCoord& coord, int64_t i,
               int64_t j, double score) {
  return formula(score, coord.batch, coord.head, coord.first_query + i,
                 coord.first_key + j);
}

void ExpectForward(const ScoreMod& mod, const TileCoord& coord,
                   const ScoreFormula& formula, std::mt19937_64& random) {
  std::normal_distribution<float> normal(0, 3);
  const TileMemory before(coord, 3, [&] { return normal(random); });
  TileMemory scores = before;
  mod.Forward(scores.Tile());
  EXPECT_TRUE(scores.SameAs(before, /*whole=*/false)) << "between the rows";
  ForEachPlace(coord, [&](int64_t i, int64_t j) {
    const double score = before.At(i, j);
    const double wanted = ValueAt(formula, coord, i, j, score);
    const double size = std::abs(score) + std::abs(wanted - score);
    ASSERT_NEAR(scores.At(i, j), wanted, 2 * kEpsilon * size)
        << "score " << score << ", row " << i << ", column " << j;
  });
}

void ExpectBackward(const ScoreMod& mod, const TileCoord& coord,
                    const ScoreFormula& formula, std::mt19937_64& random) {
  constexpr double kStep = 1e-4;
  std::normal_distribution<float> normal(0, 3);
  const TileMemory given(
      coord, 2, [&] { return random() % 9 == 0 ? 0.0f : normal(random); });
  const TileMemory scores(
      coord, 5, [&] { return random() % 20 == 0 ? kNan : normal(random); });
  TileMemory before = scores, grad = given;
  mod.Backward(
      mod.BackwardReadsScores() ? before.Tile() : ScoreTile{nullptr, 0, coord},
      grad.Tile());
  EXPECT_TRUE(before.SameAs(scores, /*whole=*/true)) << "before was changed";
  EXPECT_TRUE(grad.SameAs(given, /*whole=*/false)) << "between the rows";
  ForEachPlace(coord, [&](int64_t i, int64_t j) {
    const double score = scores.At(i, j);
    const double above = ValueAt(formula, coord, i, j, score + kStep);
    const double below = ValueAt(formula, coord, i, j, score - kStep);
    const double wanted = given.At(i, j) == 0
                              ? 0
                              : given.At(i, j) * (above - below) / (2 * kStep);
    if (std::isnan(wanted)) return;
    ASSERT_NEAR(grad.At(i, j), wanted, 1e-6 * std::abs(given.At(i, j)))
        << "score " << score << ", row " << i << ", column " << j;
  });
}

}  // namespace

void ExpectModIs(const ScoreMod& mod, const ScoreShape& shape,
                 const ScoreFormula& formula) {
  ASSERT_EQ(mod.Misfit(shape), "");
  std::mt19937_64 random(shape.query_len * 1000 + shape.kv_len);
  for (int round = 0; round < 100; ++round) {
    const TileCoord coord = RandomTile(random, shape);
    SCOPED_TRACE(::testing::Message()
                 << "head " << coord.head << ", queries " << coord.first_query
                 << " + " << coord.num_queries << ", keys " << coord.first_key
                 << " + " << coord.num_keys);
    ASSERT_NO_FATAL_FAILURE(ExpectForward(mod, coord, formula, random));
    ASSERT_NO_FATAL_FAILURE(ExpectBackward(mod, coord, formula, random));
  }
}

}  // namespace keylens
