// The oracle against numbers worked out by hand and against finite
// differences: everything else is measured against it.

#include "src/attention/reference/reference.h"

#include <gtest/gtest.h>
#include <keylens/engine.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/attention/buffer.h"

namespace keylens {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Two queries, two keys, one head: scale 1, scores [[ln 3, 0], [0, ln 7]].
class ByHand : public ::testing::Test {
 protected:
  AttentionInputs<double> Inputs() const {
    return {Contiguous<const double>(query_, {1, 1, 2, 2}),
            Contiguous<const double>(key_, {1, 1, 2, 2}),
            Contiguous<const double>(value_, {1, 1, 2, 1})};
  }

  static AttentionOptions Options() {
    AttentionOptions options;
    options.scale = 1;
    return options;
  }

  const double query_[4] = {std::log(3.0), 0, 0, std::log(7.0)};
  const double key_[4] = {1, 0, 0, 1};
  const double value_[2] = {8, 16};
};

TEST_F(ByHand, Forward) {
  const auto result = ReferenceForward<double, double>(Inputs(), Options());
  const std::vector<double> weights = {3.0 / 4, 1.0 / 4, 1.0 / 8, 7.0 / 8};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(result.weights[i], weights[i], 1e-15);
  EXPECT_NEAR(result.logsumexp[0], std::log(4.0), 1e-15);
  EXPECT_NEAR(result.logsumexp[1], std::log(8.0), 1e-15);
  EXPECT_NEAR(result.out[0], 10, 1e-14);
  EXPECT_NEAR(result.out[1], 15, 1e-14);
}

TEST_F(ByHand, DefaultScaleIsOneOverTheRootOfHeadDim) {
  const auto result = ReferenceForward<double, double>(Inputs(), {});
  EXPECT_NEAR(result.scores[0], std::log(3.0) / std::sqrt(2.0), 1e-15);
}

TEST_F(ByHand, CausalMaskAndBias) {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const float offsets[4] = {0, 5, 2, 2};
  const auto bias =
      AdditiveBias(Contiguous<const float>(offsets, {1, 1, 2, 2}));
  AttentionOptions options = Options();
  options.mask = causal.get();
  options.score_mods = {bias.get()};
  const auto result = ReferenceForward<double, double>(Inputs(), options);
  EXPECT_EQ(result.scores[1], -kInf);
  EXPECT_EQ(result.weights[0], 1);
  EXPECT_EQ(result.weights[1], 0);
  EXPECT_EQ(result.out[0], 8);
  EXPECT_NEAR(result.logsumexp[1], std::log(8.0) + 2, 1e-6);
  EXPECT_NEAR(result.out[1], 15, 1e-5);
}

TEST_F(ByHand, Statistics) {
  const auto result = ReferenceForward<double, double>(Inputs(), Options());
  const auto statistics = ReferenceInspect(result, 3);
  EXPECT_NEAR(statistics.entropy[0],
              -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-15);
  EXPECT_NEAR(statistics.key_mass[0], 7.0 / 8, 1e-15);
  EXPECT_NEAR(statistics.key_mass[1], 9.0 / 8, 1e-15);
  EXPECT_NEAR(statistics.offset_mass[0], 1.0 / 8, 1e-15);
  EXPECT_NEAR(statistics.offset_mass[1], 0.75 + 7.0 / 8, 1e-15);
  EXPECT_NEAR(statistics.offset_mass[2], 0.25, 1e-15);
  EXPECT_EQ(statistics.top_keys, (std::vector<int64_t>{0, 1, -1, 1, 0, -1}));
  EXPECT_NEAR(statistics.top_weights[3], 7.0 / 8, 1e-15);
  const std::vector<int32_t> query_group = {1, -1};
  const std::vector<int32_t> key_group = {0, 0};
  const auto pooled =
      ReferencePooled<double>(result, query_group, key_group, 2, 1);
  EXPECT_NEAR(pooled[0], 0, 1e-15);
  EXPECT_NEAR(pooled[1], 1, 1e-15);
}

TEST_F(ByHand, GroupedHeadsReadTheirOwnKeys) {
  // Three heads per kv head: heads 3 to 5 read kv head 1.
  const std::vector<double> query(6, 1.0);
  const std::vector<double> key = {1, 1};
  const std::vector<double> value = {10, 20};
  const AttentionInputs<double> inputs = {
      Contiguous(query.data(), {1, 6, 1, 1}),
      Contiguous(key.data(), {1, 2, 1, 1}),
      Contiguous(value.data(), {1, 2, 1, 1})};
  const auto result = ReferenceForward<double, double>(inputs, {});
  EXPECT_EQ(result.out, (std::vector<double>{10, 10, 10, 20, 20, 20}));
}

// A smooth score mod with a derivative that depends on the score.
class Squash : public ScoreMod {
 public:
  void Forward(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        scores.Row(i)[j] = 2 * std::tanh(scores.Row(i)[j] / 2);
      }
    }
  }
  void Backward(ScoreTile before, ScoreTile grad) const override {
    for (int64_t i = 0; i < grad.coord.num_queries; ++i) {
      for (int64_t j = 0; j < grad.coord.num_keys; ++j) {
        const float t = std::tanh(before.Row(i)[j] / 2);
        grad.Row(i)[j] *= 1 - t * t;
      }
    }
  }
};

// A loss that is linear in `out`, with fixed random coefficients: its gradient
// by each input against central differences.
class FiniteDifferences : public ::testing::Test {
 protected:
  FiniteDifferences() {
    for (Buffer<double, 4>* tensor : {&query_, &key_, &value_, &out_grad_}) {
      tensor->Fill([&] { return normal_(random_); });
    }
  }

  double Loss(const AttentionOptions& options) const {
    const auto result = ReferenceForward<double, double>(
        {query_.view(), key_.view(), value_.view()}, options);
    const std::vector<double> coefficients = out_grad_.Values();
    double loss = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      loss += coefficients[i] * result.out[i];
    }
    return loss;
  }

  void ExpectGradient(Buffer<double, 4>& input, const std::vector<double>& grad,
                      const AttentionOptions& options, double step,
                      double tolerance) {
    std::size_t i = 0;
    ForEachIndex<4>(input.view().shape, [&](const auto& index) {
      const double middle = input(index);
      input(index) = middle + step;
      const double above = Loss(options);
      input(index) = middle - step;
      const double below = Loss(options);
      input(index) = middle;
      EXPECT_NEAR(grad[i++], (above - below) / (2 * step), tolerance);
    });
  }

  void ExpectAllGradients(const AttentionOptions& options, double step,
                          double tolerance) {
    const auto gradients = ReferenceBackward<double, double>(
        {query_.view(), key_.view(), value_.view()}, options,
        std::as_const(out_grad_).view());
    ExpectGradient(query_, gradients.query, options, step, tolerance);
    ExpectGradient(key_, gradients.key, options, step, tolerance);
    ExpectGradient(value_, gradients.value, options, step, tolerance);
  }

  std::mt19937_64 random_{3};
  std::normal_distribution<double> normal_;
  Buffer<double, 4> query_{{2, 4, 5, 3}};
  Buffer<double, 4> key_{{2, 2, 7, 3}};
  Buffer<double, 4> value_{{2, 2, 7, 6}};
  Buffer<double, 4> out_grad_{{2, 4, 5, 6}};
};

TEST_F(FiniteDifferences, Plain) { ExpectAllGradients({}, 1e-4, 1e-7); }

TEST_F(FiniteDifferences, MaskedWithAScaleOfItsOwn) {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  AttentionOptions options;
  options.mask = causal.get();
  options.scale = -0.7f;
  ExpectAllGradients(options, 1e-4, 1e-7);
}

// Score mods work in float, so the step is long and the tolerance wide.
TEST_F(FiniteDifferences, ScoreMods) {
  std::vector<float> offsets(5 * 7);
  for (float& offset : offsets) offset = static_cast<float>(normal_(random_));
  const auto bias =
      AdditiveBias(Contiguous<const float>(offsets.data(), {1, 1, 5, 7}));
  const Squash squash;
  AttentionOptions options;
  options.score_mods = {bias.get(), &squash, bias.get()};
  ExpectAllGradients(options, 1e-2, 5e-4);
}

}  // namespace
}  // namespace keylens
