// One layer, forward and backward: each row of the weights sums to 1.

#include <keylens/nn/multi_head_attention.h>

#include <cstdio>

int main() {
  keylens::nn::MultiHeadAttention attention(48, 4);
  const torch::Tensor x = torch::randn({2, 7, 48});
  const auto [out, weights] = attention->forward_with_weights(x);
  out.sum().backward();
  const double error = (weights.sum(-1) - 1).abs().max().item<double>();
  const bool has_grad = attention->query->weight.grad().defined();
  std::printf("%g %d\n", error, has_grad);
  return error < 1e-5 && has_grad ? 0 : 1;
}
