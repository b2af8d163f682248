#ifndef KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_
#define KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "src/attention/plan/aligned_array.h"

// Layers for inference: the weights of torch modules, copied into the order in
// which row_kernels.h reads them. Rows are [n, size] floats, dense. Const calls
// may go on in several threads at once.
//
// torch is not included here: what decodes compiles without it.

namespace at {
class Tensor;
}
namespace torch::nn {
class LayerNormImpl;
}

namespace keylens::nn {

class LinearImpl;

// One linear layer, or several of the same input side by side.
class PackedLinear {
 public:
  explicit PackedLinear(const LinearImpl& linear);
  // weight [out, in]; bias [out], or undefined.
  PackedLinear(const at::Tensor& weight, const at::Tensor& bias);
  // The outputs of the layers one after the other.
  PackedLinear(std::initializer_list<const LinearImpl*> layers);

  int64_t in() const { return in_; }
  int64_t out() const { return out_; }

  // y [n, out] = the layer of x [n, in]. They do not overlap.
  void Apply(const float* x, int64_t n, float* y) const;
  // The same, added to what y holds.
  void Add(const float* x, int64_t n, float* y) const;

 private:
  int64_t in_, out_;
  internal::AlignedArray<float> weight_, bias_;
};

class PackedNorm {
 public:
  explicit PackedNorm(const torch::nn::LayerNormImpl& norm);

  void Apply(const float* x, int64_t n, float* y) const;  // y may be x

 private:
  std::vector<float> scale_, shift_;
  float epsilon_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_
