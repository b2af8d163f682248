#include <keylens/nn/position_encoding.h>

#include <cmath>

namespace keylens::nn {

torch::Tensor SinusoidalEncoding(const torch::Tensor& positions, int64_t dim,
                                 double max_period) {
  if (dim <= 0 || dim % 2 != 0) {
    throw std::invalid_argument("SinusoidalEncoding: dim is " +
                                std::to_string(dim) +
                                "; a positive even number is expected");
  }
  const int64_t half = dim / 2;
  const torch::Tensor exponent =
      torch::arange(half, torch::kFloat64) / static_cast<double>(half);
  const torch::Tensor frequency = torch::exp(exponent * -std::log(max_period));
  const torch::Tensor angle =
      positions.to(torch::kFloat64).unsqueeze(-1) * frequency;
  return torch::cat({angle.sin(), angle.cos()}, -1).to(torch::kFloat32);
}

torch::Tensor SinusoidalPositions(int64_t len, int64_t dim, double max_period) {
  return SinusoidalEncoding(torch::arange(len), dim, max_period);
}

TimestepEmbeddingImpl::TimestepEmbeddingImpl(int64_t dim, int64_t frequencies)
    : dim_(dim), frequencies_(frequencies) {
  reset();
}

void TimestepEmbeddingImpl::reset() {
  linear1 = register_module("linear1", Linear(frequencies_, dim_));
  linear2 = register_module("linear2", Linear(dim_, dim_));
}

torch::Tensor TimestepEmbeddingImpl::forward(const torch::Tensor& time) {
  // Positions of about a thousand steps, for which the wavelengths were made.
  return linear2(
      torch::silu(linear1(SinusoidalEncoding(time * 1000, frequencies_))));
}

}  // namespace keylens::nn
