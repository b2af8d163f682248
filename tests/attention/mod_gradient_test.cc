// The gradients that score mods pass on, and those of what they learn, against
// finite differences of a loss in double.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/every_target.h"

namespace keylens {
namespace {

class ModGradient : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, ModGradient, EveryTarget(), TargetName);

constexpr AttentionShape kShape = {2, 2, 1, 5, 7, 3, 4};
constexpr int64_t kShift = kShape.kv_len - kShape.query_len;

// What becomes of a score: (score, batch, head, query, key).
using Formula =
    std::function<double(double, int64_t, int64_t, int64_t, int64_t)>;

// A case whose numbers are doubles, so that small steps show: its loss is the
// sum of out_grad times out.
class InDouble {
 public:
  explicit InDouble(const AttentionCase& attention)
      : query(Copy(attention.query)),
        key(Copy(attention.key)),
        value(Copy(attention.value)),
        out_grad_(attention.out_grad.Values()) {
    options_.mask = attention.options.mask;
  }

  double Loss(const Formula& formula) const {
    const auto result = ReferenceForward<double, double>(
        {query.view(), key.view(), value.view()}, options_);
    const std::vector<double> values = value.Values();
    double loss = 0;
    int64_t row = 0;
    ForEachIndex<3>({kShape.batch, kShape.num_heads, kShape.query_len},
                    [&](const auto& at) {
                      loss += RowLoss(result, values, formula, at, row++);
                    });
    return loss;
  }

  Buffer<double, 4> query, key, value;

 private:
  static Buffer<double, 4> Copy(const Buffer<float, 4>& from) {
    Buffer<double, 4> copy(from.view().shape);
    const std::vector<float> values = from.Values();
    std::size_t i = 0;
    copy.Fill([&] { return values[i++]; });
    return copy;
  }

  double RowLoss(const ReferenceResult<double>& result,
                 const std::vector<double>& values, const Formula& formula,
                 const std::array<int64_t, 3>& at, int64_t row) const {
    const auto& [b, h, i] = at;
    std::vector<double> weights;
    for (int64_t j = 0; j < kShape.kv_len; ++j) {
      const double score = result.scores[row * kShape.kv_len + j];
      weights.push_back(
          std::isinf(score) ? 0 : std::exp(formula(score, b, h, i, j)));
    }
    double sum = 0, loss = 0;
    for (int64_t j = 0; j < kShape.kv_len; ++j) {
      sum += weights[j];
      for (int64_t d = 0; d < kShape.value_dim; ++d) {
        loss += weights[j] * out_grad_[row * kShape.value_dim + d] *
                values[((b * kShape.num_kv_heads + h / 2) * kShape.kv_len + j) *
                           kShape.value_dim +
                       d];
      }
    }
    return sum == 0 ? 0 : loss / sum;
  }

  std::vector<float> out_grad_;
  AttentionOptions options_;
};

// How the loss changes with x.
double Slope(double& x, const std::function<double()>& loss) {
  constexpr double kStep = 1e-4;
  const double middle = x;
  x = middle + kStep;
  const double above = loss();
  x = middle - kStep;
  const double below = loss();
  x = middle;
  return (above - below) / (2 * kStep);
}

// Expects each element of `gradient` to be the slope of the element of
// `parameter` with the same index.
template <int kRank>
void ExpectSlopes(const Buffer<float, kRank>& gradient,
                  Buffer<double, kRank>& parameter,
                  const std::function<double()>& loss, const char* name) {
  EXPECT_TRUE(gradient.PaddingIsUntouched()) << name;
  const std::vector<float> gradients = gradient.Values();
  std::size_t n = 0;
  ForEachIndex<kRank>(gradient.view().shape, [&](const auto& index) {
    ASSERT_NEAR(gradients[n], Slope(parameter(index), loss), 1e-5)
        << name << ", element " << n;
    ++n;
  });
}

// Expects the gradients of a case with that mod to be the slopes of its loss.
void ExpectInputGradients(const std::vector<const ScoreMod*>& mods,
                          const Formula& formula) {
  AttentionCase attention(kShape);
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  attention.options.mask = causal.get();
  attention.options.score_mods = mods;
  ForwardResult forward = Forward(attention);
  const Gradients gradients = Backward(attention, forward);
  InDouble exact(attention);
  const auto loss = [&] { return exact.Loss(formula); };
  ExpectSlopes(gradients.query, exact.query, loss, "query");
  ExpectSlopes(gradients.key, exact.key, loss, "key");
  ExpectSlopes(gradients.value, exact.value, loss, "value");
}

template <int kRank>
struct Learnt {
  explicit Learnt(const std::array<int64_t, kRank>& shape)
      : parameter(shape), exact(shape), gradient(shape, Strange()) {
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    ForEachIndex<kRank>(shape, [&](const auto& index) {
      exact(index) = parameter(index) = normal(random);
    });
  }

  static Layout<kRank> Strange() {
    std::mt19937_64 random(4);
    return RandomLayout<kRank>(random);
  }

  Buffer<float, kRank> parameter;
  Buffer<double, kRank> exact;
  Buffer<float, kRank> gradient;
};

double Capped(double score, double cap) { return cap * std::tanh(score / cap); }

double Distance(int64_t i, int64_t j) {
  return static_cast<double>(std::abs(i + kShift - j));
}

constexpr RelativePositionBiasOptions kBuckets = {true, 3};

// Which of 6 buckets a key is in: distances 0, 1, 2 and more; later keys after.
int64_t BucketOf(int64_t i, int64_t j) {
  const int64_t offset = j - (i + kShift);
  return std::min<int64_t>(std::abs(offset), 2) + (offset > 0 ? 3 : 0);
}

TEST_P(ModGradient, EveryModPassesItsGradientOn) {
  Learnt<4> bias({1, 2, 5, 7});
  Learnt<2> table({2, 6});
  const std::vector<float> slopes = {0.5f, -0.25f};
  const auto additive = AdditiveBias(bias.parameter.view());
  const auto alibi = AlibiBias(slopes);
  const auto cap = SoftCap(1.5f);
  const auto relative = RelativePositionBias(table.parameter.view(), kBuckets);
  const Formula add = [&](double s, int64_t, int64_t h, int64_t i, int64_t j) {
    return s + bias.exact({0, h, i, j});
  };
  const Formula fall = [&](double s, int64_t, int64_t h, int64_t i, int64_t j) {
    return s - slopes[h] * Distance(i, j);
  };
  const Formula limit = [](double s, int64_t, int64_t, int64_t, int64_t) {
    return Capped(s, 1.5);
  };
  const Formula bucket = [&](double s, int64_t, int64_t h, int64_t i,
                             int64_t j) {
    return s + table.exact({h, BucketOf(i, j)});
  };
  ExpectInputGradients({additive.get()}, add);
  ExpectInputGradients({alibi.get()}, fall);
  ExpectInputGradients({cap.get()}, limit);
  ExpectInputGradients({relative.get()}, bucket);
  ExpectInputGradients(
      {relative.get(), cap.get(), alibi.get(), cap.get(), additive.get()},
      [&](double s, int64_t b, int64_t h, int64_t i, int64_t j) {
        for (const Formula& mod : {bucket, limit, fall, limit, add}) {
          s = mod(s, b, h, i, j);
        }
        return s;
      });
}

TEST_P(ModGradient, OfABias) {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (const int broadcast : {0b0000, 0b0001, 0b0010, 0b0100, 0b1000, 0b1101}) {
    SCOPED_TRACE(broadcast);
    AttentionCase attention(kShape);
    attention.options.mask = causal.get();
    std::array<int64_t, 4> axes = {2, 2, 5, 7};
    for (int axis = 0; axis < 4; ++axis)
      if (broadcast >> axis & 1) axes[axis] = 1;
    Learnt<4> bias(axes);
    const auto cap = SoftCap(3.0f);  // the bias is not the last mod
    const auto mod = AdditiveBias(bias.parameter.view(), bias.gradient.view());
    Learn(attention, {mod.get(), cap.get()});
    const InDouble exact(attention);
    ExpectSlopes(
        bias.gradient, bias.exact,
        [&] {
          return exact.Loss(
              [&](double score, int64_t b, int64_t h, int64_t i, int64_t j) {
                return Capped(score + bias.exact({b % axes[0], h % axes[1],
                                                  i % axes[2], j % axes[3]}),
                              3);
              });
        },
        "bias");
  }
}

TEST_P(ModGradient, OfSlopes) {
  AttentionCase attention(kShape);
  Learnt<1> slopes({2});
  const auto cap = SoftCap(3.0f);
  const auto mod = AlibiBias(slopes.parameter.Values(), slopes.gradient.view());
  Learn(attention, {mod.get(), cap.get()});
  const InDouble exact(attention);
  ExpectSlopes(
      slopes.gradient, slopes.exact,
      [&] {
        return exact.Loss(
            [&](double score, int64_t, int64_t h, int64_t i, int64_t j) {
              return Capped(score - slopes.exact({h}) * Distance(i, j), 3);
            });
      },
      "slopes");
}

TEST_P(ModGradient, OfATable) {
  AttentionCase attention(kShape);
  Learnt<2> table({2, 6});
  const auto cap = SoftCap(3.0f);
  const auto mod = RelativePositionBias(table.parameter.view(),
                                        table.gradient.view(), kBuckets);
  Learn(attention, {mod.get(), cap.get()});
  const InDouble exact(attention);
  ExpectSlopes(
      table.gradient, table.exact,
      [&] {
        return exact.Loss(
            [&](double score, int64_t, int64_t h, int64_t i, int64_t j) {
              return Capped(score + table.exact({h, BucketOf(i, j)}), 3);
            });
      },
      "table");
}

}  // namespace
}  // namespace keylens
