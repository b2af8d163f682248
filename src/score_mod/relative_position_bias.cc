#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/score_mod/diagonal_bias.h"
#include "src/score_mod/head_sums.h"
#include "src/score_mod/require_gradient.h"

namespace keylens {
namespace {

// The first distance of each bucket of one direction.
class DistanceBuckets {
 public:
  // The formula in the header, solved for n: bucket `exact` + k starts at the
  // least whole number not below exact (max_distance / exact)^(k / wide).
  DistanceBuckets(int64_t num_buckets, int64_t max_distance) {
    const int64_t exact = num_buckets / 2;
    const int64_t wide = num_buckets - exact;
    for (int64_t n = 0; n < exact; ++n) first_.push_back(n);
    const auto base = static_cast<double>(exact);
    const double ratio = static_cast<double>(max_distance) / base;
    for (int64_t k = 0; k < wide; ++k) {
      const double exponent =
          static_cast<double>(k) / static_cast<double>(wide);
      first_.push_back(CeilOf(base * std::pow(ratio, exponent)));
    }
  }

  int64_t BucketOf(int64_t distance) const {
    return std::upper_bound(first_.begin(), first_.end(), distance) -
           first_.begin() - 1;
  }

 private:
  // A power that is a whole number must not become the next one because its
  // last bits are wrong.
  static int64_t CeilOf(double x) {
    const double nearest = std::round(x);
    const bool is_whole = std::abs(x - nearest) < 1e-9 * x;
    return static_cast<int64_t>(is_whole ? nearest : std::ceil(x));
  }

  std::vector<int64_t> first_;  // ascending; buckets may be empty
};

class BucketBias : public ScoreMod {
 public:
  BucketBias(const TensorView<const float, 2>& table,
             const RelativePositionBiasOptions& options)
      : table_(table),
        bidirectional_(options.bidirectional),
        per_direction_(table.shape[1] / (options.bidirectional ? 2 : 1)),
        buckets_(per_direction_, options.max_distance) {}

  void Forward(ScoreTile scores) const override {
    const float* biases = table_.data + scores.coord.head * table_.strides[0];
    AddToDiagonals(scores, [this, biases](int64_t offset) {
      return biases[BucketOf(offset) * table_.strides[1]];
    });
  }

  // The derivative of score + bias by score is 1.
  void Backward(ScoreTile /*before*/, ScoreTile /*grad*/) const override {}

  bool BackwardReadsScores() const override { return false; }

  std::string Misfit(const ScoreShape& shape) const override {
    if (table_.shape[0] == shape.num_heads) return "";
    return "table [" + std::to_string(table_.shape[0]) + ", " +
           std::to_string(table_.shape[1]) + "] has " +
           std::to_string(table_.shape[0]) + " rows for " +
           std::to_string(shape.num_heads) + " heads";
  }

 protected:
  int64_t BucketOf(int64_t offset) const {
    if (!bidirectional_) {
      return buckets_.BucketOf(std::max<int64_t>(-offset, 0));
    }
    return buckets_.BucketOf(std::abs(offset)) +
           (offset > 0 ? per_direction_ : 0);
  }

 private:
  TensorView<const float, 2> table_;
  bool bidirectional_;
  int64_t per_direction_;
  DistanceBuckets buckets_;
};

// The gradient by an entry of the table is the sum of those by the scores that
// it was added to.
class LearntBucketBias final : public BucketBias {
 public:
  LearntBucketBias(const TensorView<const float, 2>& table,
                   const TensorView<float, 2>& gradient,
                   const RelativePositionBiasOptions& options)
      : BucketBias(table, options),
        gradient_(gradient),
        sums_(table.shape[1]) {}

  void BeginBackward(const ScoreShape& shape) const override {
    sums_.Begin(shape);
  }

  void Backward(ScoreTile /*before*/, ScoreTile grad) const override {
    double* sums = sums_.Of(grad.coord);
    ForEachDiagonalSum(grad, [this, sums](int64_t offset, float diagonal) {
      sums[BucketOf(offset)] += diagonal;
    });
  }

  void EndBackward() const override {
    const auto& [heads, buckets] = gradient_.shape;
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t bucket = 0; bucket < buckets; ++bucket) {
        gradient_
            .data[h * gradient_.strides[0] + bucket * gradient_.strides[1]] =
            static_cast<float>(sums_.Total(h, bucket));
      }
    }
  }

 private:
  TensorView<float, 2> gradient_;
  mutable HeadSums sums_;
};

[[noreturn]] void Fail(const std::string& what) {
  throw std::invalid_argument("RelativePositionBias: " + what);
}

void RequireUsable(const TensorView<const float, 2>& table,
                   const RelativePositionBiasOptions& options) {
  const int64_t num_buckets = table.shape[1];
  const std::string shape = "table [" + std::to_string(table.shape[0]) + ", " +
                            std::to_string(num_buckets) + "]";
  if (options.bidirectional && num_buckets % 2 != 0) {
    Fail(shape + " has an odd number of buckets for two directions");
  }
  const int64_t per_direction = num_buckets / (options.bidirectional ? 2 : 1);
  if (per_direction < 2) Fail(shape + " has less than 2 buckets per direction");
  if (options.max_distance <= per_direction / 2) {
    Fail("max_distance is " + std::to_string(options.max_distance) + "; " +
         shape + " has a bucket for each distance below " +
         std::to_string(per_direction / 2));
  }
  if (table.shape[0] > 0 && table.data == nullptr) Fail("data is null");
}

}  // namespace

std::unique_ptr<ScoreMod> RelativePositionBias(
    TensorView<const float, 2> table,
    const RelativePositionBiasOptions& options) {
  RequireUsable(table, options);
  return std::make_unique<BucketBias>(table, options);
}

std::unique_ptr<ScoreMod> RelativePositionBias(
    TensorView<const float, 2> table, TensorView<float, 2> gradient,
    const RelativePositionBiasOptions& options) {
  RequireUsable(table, options);
  RequireGradientOf("RelativePositionBias", "table", table.shape, gradient);
  return std::make_unique<LearntBucketBias>(table, gradient, options);
}

}  // namespace keylens
