#ifndef KEYLENS_SRC_NN_FUNCTION_INPUTS_H_
#define KEYLENS_SRC_NN_FUNCTION_INPUTS_H_

#include <torch/torch.h>

// What every autograd function of this library asks of its inputs.

namespace keylens::nn {

// Throws c10::Error, with `function` in front, unless the tensor is float32 on
// the CPU with `rank` axes.
void CheckTensor(const char* function, const char* name,
                 const torch::Tensor& tensor, int64_t rank);

// The same for a feature map [b, c, h, w], which may be bfloat16 too.
void CheckMap(const char* function, const char* name,
              const torch::Tensor& tensor);

// Throws c10::Error while gradients are being recorded: there is no second
// derivative, and a silent zero in its place would be wrong.
void RefuseSecondDerivative(const char* function);

// autograd functions take no undefined tensors: an optional input travels as an
// empty one.
torch::Tensor OrEmpty(const torch::Tensor& optional);
torch::Tensor OrUndefined(const torch::Tensor& packed);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_FUNCTION_INPUTS_H_
