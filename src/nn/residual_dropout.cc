#include <keylens/nn/residual_dropout.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "src/nn/function_inputs.h"
#include "src/random/random.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The factors of the elements of a row: 0, or 1 / (1 - probability). (On a
// machine of the other byte order the same keys drop other elements.)
class RowFactors {
 public:
  RowFactors(int64_t size, double probability, uint64_t site)
      : threshold_(static_cast<int32_t>(probability * kRange)),
        scale_(kRange / (kRange - static_cast<float>(threshold_))),
        site_(site),
        bits_((size + kPerDraw - 1) / kPerDraw),
        halves_(bits_.size() * kPerDraw),
        factors_(halves_.size()) {}

  // In loops that a compiler makes vectors of.
  const float* Of(int64_t row_key) {
    uint64_t state =
        MixBits(static_cast<uint64_t>(row_key) + kGoldenStep * site_);
    for (uint64_t& bits : bits_) bits = MixBits(state += kGoldenStep);
    std::memcpy(halves_.data(), bits_.data(),
                halves_.size() * sizeof(uint16_t));
    for (std::size_t i = 0; i < factors_.size(); ++i)
      factors_[i] = halves_[i] >= threshold_ ? scale_ : 0.0f;
    return factors_.data();
  }

 private:
  static constexpr float kRange = 65536;
  // Elements: 16 of 64 random bits decide on one.
  static constexpr std::size_t kPerDraw = 4;

  int32_t threshold_;
  float scale_;
  uint64_t site_;
  std::vector<uint64_t> bits_;
  std::vector<uint16_t> halves_;
  std::vector<float> factors_;
};

template <typename T>
void Forward(const torch::Tensor& x, const torch::Tensor& branch,
             const torch::Tensor& keys, const DropoutDraw& draw,
             const torch::Tensor& out) {
  const int64_t size = x.size(-1);
  const auto* key = keys.data_ptr<int64_t>();
  const float* from = x.data_ptr<float>();
  const T* added = branch.data_ptr<T>();
  float* to = out.data_ptr<float>();
  RowFactors factors(size, draw.probability, draw.site);
  for (int64_t row = 0; row < keys.numel(); ++row) {
    const float* factor = factors.Of(key[row]);
    for (int64_t i = 0; i < size; ++i)
      to[i] = from[i] + static_cast<float>(added[i]) * factor[i];
    from += size;
    added += size;
    to += size;
  }
}

template <typename T>
void Backward(const torch::Tensor& out_grad, const torch::Tensor& keys,
              double probability, uint64_t site, const torch::Tensor& branch) {
  const int64_t size = out_grad.size(-1);
  const auto* key = keys.data_ptr<int64_t>();
  const float* from = out_grad.data_ptr<float>();
  T* to = branch.data_ptr<T>();
  RowFactors factors(size, probability, site);
  for (int64_t row = 0; row < keys.numel(); ++row) {
    const float* factor = factors.Of(key[row]);
    for (int64_t i = 0; i < size; ++i)
      to[i] = static_cast<T>(from[i] * factor[i]);
    from += size;
    to += size;
  }
}

class AddDropoutFunction
    : public torch::autograd::Function<AddDropoutFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const torch::Tensor& branch,
                               const torch::Tensor& keys,
                               const DropoutDraw& draw) {
    torch::Tensor out = at::empty_like(x);
    if (branch.scalar_type() == torch::kBFloat16) {
      Forward<at::BFloat16>(x, branch, keys, draw, out);
    } else {
      Forward<float>(x, branch, keys, draw, out);
    }
    ctx->save_for_backward({keys});
    ctx->saved_data["probability"] = draw.probability;
    ctx->saved_data["site"] = static_cast<int64_t>(draw.site);
    ctx->saved_data["mixed"] = branch.scalar_type() == torch::kBFloat16;
    return out;
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("AddDropout");
    const torch::Tensor out_grad = out_grads[0].contiguous();
    const torch::Tensor keys = ctx->get_saved_variables()[0];
    const double probability = ctx->saved_data["probability"].toDouble();
    const auto site = static_cast<uint64_t>(ctx->saved_data["site"].toInt());
    torch::Tensor branch;
    if (ctx->saved_data["mixed"].toBool()) {
      branch = at::empty_like(out_grad, torch::kBFloat16);
      Backward<at::BFloat16>(out_grad, keys, probability, site, branch);
    } else {
      branch = at::empty_like(out_grad);
      Backward<float>(out_grad, keys, probability, site, branch);
    }
    return {out_grad, branch, torch::Tensor(), torch::Tensor()};
  }
};

void Check(const torch::Tensor& x, const torch::Tensor& branch,
           const DropoutDraw& draw, int64_t rows) {
  const bool keys_fit =
      !draw.row_keys.defined() || (draw.row_keys.numel() == rows &&
                                   draw.row_keys.scalar_type() == torch::kLong);
  if (x.sizes() == branch.sizes() && keys_fit && draw.probability >= 0 &&
      draw.probability < 1) {
    return;
  }
  std::ostringstream message;
  message << "AddDropout: x " << x.sizes() << ", branch " << branch.sizes()
          << ", probability " << draw.probability << ", "
          << (draw.row_keys.defined() ? draw.row_keys.numel() : rows)
          << " keys; equal shapes, a probability in [0, 1) and an int64 key "
             "for each row are expected";
  throw std::invalid_argument(message.str());
}

}  // namespace

torch::Tensor AddDropout(const torch::Tensor& x, const torch::Tensor& branch,
                         const DropoutDraw& draw) {
  CheckTensor("AddDropout", "x", x, x.dim());
  const int64_t rows = x.numel() / std::max<int64_t>(1, x.size(-1));
  Check(x, branch, draw, rows);
  if (draw.probability == 0) return x + branch;
  const torch::Tensor keys =
      draw.row_keys.defined()
          ? draw.row_keys.contiguous()
          : torch::randint(std::numeric_limits<int64_t>::max(), {rows},
                           torch::kLong);
  return AddDropoutFunction::apply(x.contiguous(), branch.contiguous(), keys,
                                   draw);
}

}  // namespace keylens::nn
