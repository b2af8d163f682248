#include "src/nn/function_inputs.h"

namespace keylens::nn {

void CheckTensor(const char* function, const char* name,
                 const torch::Tensor& tensor, int64_t rank) {
  TORCH_CHECK(tensor.defined(), function, ": ", name, " is undefined");
  TORCH_CHECK(
      tensor.device().is_cpu() && tensor.scalar_type() == torch::kFloat32,
      function, ": ", name, " is ", tensor.scalar_type(), " on ",
      tensor.device(), "; float32 on the CPU is supported");
  TORCH_CHECK(tensor.dim() == rank, function, ": ", name, " has shape ",
              tensor.sizes(), "; ", rank, " axes are expected");
}

void CheckMap(const char* function, const char* name,
              const torch::Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), function, ": ", name, " is undefined");
  const bool supported = tensor.scalar_type() == torch::kFloat32 ||
                         tensor.scalar_type() == torch::kBFloat16;
  TORCH_CHECK(tensor.device().is_cpu() && supported, function, ": ", name,
              " is ", tensor.scalar_type(), " on ", tensor.device(),
              "; float32 and bfloat16 on the CPU are supported");
  TORCH_CHECK(tensor.dim() == 4, function, ": ", name, " has shape ",
              tensor.sizes(), "; [b, c, h, w] is expected");
}

void RefuseSecondDerivative(const char* function) {
  TORCH_CHECK(!at::GradMode::is_enabled(), function,
              " has no second derivative: call backward() or grad() without "
              "create_graph");
}

torch::Tensor OrEmpty(const torch::Tensor& optional) {
  return optional.defined() ? optional : at::empty({0});
}

torch::Tensor OrUndefined(const torch::Tensor& packed) {
  return packed.numel() == 0 ? torch::Tensor() : packed;
}

}  // namespace keylens::nn
