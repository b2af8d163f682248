#ifndef KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_
#define KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/attention/plan/aligned_array.h"
#include "src/weights/weight_source.h"

// Layers for inference: weights of a source, in the order in which
// row_kernels.h reads them. Rows are [n, size] floats, dense. Const calls may
// go on in several threads at once. All constructors throw Error, naming file
// and tensor, where a weight is missing, has another shape or is not finite.

namespace keylens::nn {

// The weight of that name and shape.
WeightView FindWeight(const WeightSource& weights, const std::string& name,
                      const std::vector<int64_t>& shape);
std::vector<float> ReadWeight(const WeightSource& weights,
                              const std::string& name,
                              const std::vector<int64_t>& shape);

// What a linear layer is called and how it is shaped: NAME.weight [out, in],
// and, with a bias, NAME.bias [out].
struct LinearSpec {
  std::string name;
  int64_t in = 0, out = 0;
  bool bias = true;
  // Of the weight in the file, where it is no matrix there; empty: [out, in].
  std::vector<int64_t> shape = {};
};

// One linear layer, or several of the same input side by side.
class PackedLinear {
 public:
  PackedLinear(const WeightSource& weights, const LinearSpec& layer);
  // The outputs of the layers one after the other.
  PackedLinear(const WeightSource& weights,
               const std::vector<LinearSpec>& layers);
  // A matrix [out, in] that is no layer's: without a bias.
  PackedLinear(const WeightView& matrix, int64_t in, int64_t out);
  // Each row of the weight, and the bias, multiplied by a factor [out].
  PackedLinear(const WeightSource& weights, const LinearSpec& layer,
               const std::vector<float>& factors);

  int64_t in() const { return in_; }
  int64_t out() const { return out_; }

  // y [n, out] = the layer of x [n, in]. They do not overlap.
  void Apply(const float* x, int64_t n, float* y) const;
  // The same, added to what y holds.
  void Add(const float* x, int64_t n, float* y) const;

 private:
  PackedLinear(int64_t in, int64_t out);
  void PackRows(const WeightView& matrix, int64_t first_column,
                const float* factors);
  void PackBias(const std::vector<float>& bias, int64_t first_column,
                const float* factors);
  void PackLayer(const WeightSource& weights, const LinearSpec& layer,
                 int64_t first_column, const float* factors);

  int64_t in_, out_;
  internal::AlignedArray<float> weight_, bias_;
};

// Layer normalisation: NAME.weight and NAME.bias, [size].
class PackedNorm {
 public:
  PackedNorm(const WeightSource& weights, const std::string& name, int64_t size,
             double eps);

  void Apply(const float* x, int64_t n, float* y) const;  // y may be x

 private:
  std::vector<float> scale_, shift_;
  float epsilon_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_PACKED_LAYERS_H_
