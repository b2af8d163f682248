#ifndef KEYLENS_SRC_WEIGHTS_TENSOR_LIST_H_
#define KEYLENS_SRC_WEIGHTS_TENSOR_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/weights/weight_report.h"

namespace keylens {

// The weights of a model, written down layer by layer under the names and in
// the shapes that PyTorch's layers have.
class TensorList {
 public:
  void Add(const std::string& name, std::vector<int64_t> shape) {
    specs_.push_back({name, std::move(shape)});
  }
  // weight [out, in], bias [out]
  void Linear(const std::string& name, int64_t in, int64_t out,
              bool bias = true) {
    WeightAndBias(name, {out, in}, bias ? out : 0);
  }
  // weight [out, in, kernel, kernel], bias [out]
  void Conv2d(const std::string& name, int64_t in, int64_t out, int64_t kernel,
              bool bias = true) {
    WeightAndBias(name, {out, in, kernel, kernel}, bias ? out : 0);
  }
  // weight [size], bias [size], of a layer's or a group's norm
  void Norm(const std::string& name, int64_t size) {
    WeightAndBias(name, {size}, size);
  }

  // keylens::nn's pre-norm stacks with their final norm, below `name`.
  void EncoderStack(const std::string& name, int64_t layers, int64_t hidden,
                    int64_t mlp);
  void DecoderStack(const std::string& name, int64_t layers, int64_t hidden,
                    int64_t mlp);

  std::vector<TensorSpec> Take() { return std::move(specs_); }

 private:
  void WeightAndBias(const std::string& name, std::vector<int64_t> shape,
                     int64_t bias);
  void Attention(const std::string& name, int64_t hidden);
  void FeedForward(const std::string& layer, int64_t hidden, int64_t mlp);

  std::vector<TensorSpec> specs_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_TENSOR_LIST_H_
