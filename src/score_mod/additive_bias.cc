#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <memory>
#include <string>

#include "src/mask/broadcast.h"

namespace keylens {
namespace {

class Bias final : public ScoreMod {
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

}  // namespace

std::unique_ptr<ScoreMod> AdditiveBias(TensorView<const float, 4> bias) {
  return std::make_unique<Bias>(bias);
}

}  // namespace keylens
