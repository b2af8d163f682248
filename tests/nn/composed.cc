#include "tests/nn/composed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace keylens::nn {

ComposedAttention Compose(const torch::Tensor& query, const torch::Tensor& key,
                          const torch::Tensor& value, double scale,
                          const torch::Tensor& live) {
  torch::Tensor scores = torch::matmul(query, key.transpose(-2, -1)) * scale;
  if (live.defined())
    scores = scores.masked_fill(live.logical_not(),
                                -std::numeric_limits<double>::infinity());
  const torch::Tensor weights = torch::softmax(scores, -1);
  return {torch::matmul(weights, value), weights};
}

torch::Tensor LiveKeys(const std::vector<int64_t>& live_lengths, int64_t len) {
  const torch::Tensor lengths = torch::tensor(live_lengths).view({-1, 1});
  return (torch::arange(len).view({1, -1}) < lengths).view({-1, 1, 1, len});
}

double RelativeError(const torch::Tensor& actual, const torch::Tensor& expected,
                     double scale) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (!actual.defined() || actual.sizes() != expected.sizes()) return infinity;
  if (actual.numel() == 0) return 0;
  const torch::Tensor wanted = expected.detach().to(torch::kFloat64),
                      got = actual.detach().to(torch::kFloat64);
  const double error = (got - wanted).abs().max().item<double>();
  const double largest = std::max(scale, wanted.abs().max().item<double>());
  if (!std::isfinite(error)) return infinity;
  return largest == 0 ? error : error / largest;
}

torch::Tensor DoubleLeaf(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kFloat64).clone().requires_grad_();
}

void ExpectSameWithGradients(const std::vector<torch::Tensor>& leaves,
                             const Formula& actual, const Formula& expected,
                             double tolerance) {
  std::vector<torch::Tensor> doubles;
  for (const torch::Tensor& leaf : leaves) {
    leaf.requires_grad_();
    doubles.push_back(DoubleLeaf(leaf));
  }
  const torch::Tensor out = actual(leaves), wanted = expected(doubles);
  EXPECT_LT(RelativeError(out, wanted), tolerance) << "output";
  const torch::Tensor out_grad = torch::randn(wanted.sizes());
  const auto grads = torch::autograd::grad({out}, leaves, {out_grad});
  const auto wanted_grads =
      torch::autograd::grad({wanted}, doubles, {out_grad.to(torch::kFloat64)});
  // A gradient that is 0 by symmetry (a bias of all keys shifts a whole row of
  // scores) has no scale of its own.
  double scale = 0;
  for (const torch::Tensor& grad : wanted_grads)
    scale = std::max(scale, 0.01 * grad.abs().max().item<double>());
  for (size_t i = 0; i < leaves.size(); ++i) {
    EXPECT_LT(RelativeError(grads[i], wanted_grads[i], scale), tolerance)
        << "gradient of leaf " << i << leaves[i].sizes();
  }
}

void ExpectModuleSame(torch::nn::Module& module,
                      const std::vector<torch::Tensor>& inputs,
                      const Formula& actual, const Formula& expected,
                      double tolerance) {
  std::vector<torch::Tensor> leaves = inputs;
  for (const torch::Tensor& parameter : module.parameters())
    leaves.push_back(parameter);
  ExpectSameWithGradients(leaves, actual, expected, tolerance);
}

torch::Tensor ChannelsLast(const torch::Tensor& map) {
  return map.contiguous(at::MemoryFormat::ChannelsLast);
}

}  // namespace keylens::nn
