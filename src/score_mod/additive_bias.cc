#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <memory>
#include <string>

#include "src/mask/broadcast.h"
#include "src/score_mod/require_gradient.h"

namespace keylens {
namespace {

class Bias : public ScoreMod {
 public:
  explicit Bias(TensorView<const float, 4> bias)
      : bias_(BroadcastAxes("AdditiveBias", bias)) {}

  void Forward(ScoreTile scores) const override {
    const float* bias = TileOrigin(bias_, scores.coord);
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      AddRow(bias + i * bias_.strides[2], scores.coord.num_keys, scores.Row(i));
    }
  }

  // The derivative of score + bias by score is 1.
  void Backward(ScoreTile /*before*/, ScoreTile /*grad*/) const override {}

  bool BackwardReadsScores() const override { return false; }

  std::string Misfit(const ScoreShape& shape) const override {
    return BroadcastMisfit("bias", bias_.shape, shape);
  }

 private:
  // The two common strides get a loop of their own, which compilers vectorize.
  void AddRow(const float* bias, int64_t num_keys, float* scores) const {
    const int64_t stride = bias_.strides[3];
    if (stride == 1) {
      for (int64_t j = 0; j < num_keys; ++j) scores[j] += bias[j];
    } else if (stride == 0) {
      for (int64_t j = 0; j < num_keys; ++j) scores[j] += *bias;
    } else {
      for (int64_t j = 0; j < num_keys; ++j) scores[j] += bias[j * stride];
    }
  }

  TensorView<const float, 4> bias_;
};

// Adds the gradients of all tiles up in the caller's view.
class LearntBias final : public Bias {
 public:
  LearntBias(TensorView<const float, 4> bias, TensorView<float, 4> gradient)
      : Bias(bias), gradient_(gradient) {
    for (int axis = 0; axis < 4; ++axis) {
      if (gradient.shape[axis] == 1) gradient_.strides[axis] = 0;
    }
  }

  BackwardOrder OrderOfBackward() const override {
    if (gradient_.shape[2] > 1) return BackwardOrder::kByQuery;
    return gradient_.shape[3] > 1 ? BackwardOrder::kByKey
                                  : BackwardOrder::kTotal;
  }

  void BeginBackward(const ScoreShape& /*shape*/) const override {
    const auto& [batch, heads, queries, keys] = gradient_.shape;
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t h = 0; h < heads; ++h) {
        for (int64_t i = 0; i < queries; ++i) {
          for (int64_t j = 0; j < keys; ++j) *At(b, h, i, j) = 0.0f;
        }
      }
    }
  }

  void Backward(ScoreTile /*before*/, ScoreTile grad) const override {
    const TileCoord& tile = grad.coord;
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      float* to =
          At(tile.batch, tile.head, tile.first_query + i, tile.first_key);
      const float* from = grad.Row(i);
      const int64_t stride = gradient_.strides[3];
      for (int64_t j = 0; j < tile.num_keys; ++j) to[j * stride] += from[j];
    }
  }

 private:
  float* At(int64_t b, int64_t h, int64_t i, int64_t j) const {
    const auto& strides = gradient_.strides;
    return gradient_.data + b * strides[0] + h * strides[1] + i * strides[2] +
           j * strides[3];
  }

  TensorView<float, 4> gradient_;
};

}  // namespace

std::unique_ptr<ScoreMod> AdditiveBias(TensorView<const float, 4> bias) {
  return std::make_unique<Bias>(bias);
}

std::unique_ptr<ScoreMod> AdditiveBias(TensorView<const float, 4> bias,
                                       TensorView<float, 4> gradient) {
  RequireGradientOf("AdditiveBias", "bias", bias.shape, gradient);
  return std::make_unique<LearntBias>(bias, gradient);
}

}  // namespace keylens
