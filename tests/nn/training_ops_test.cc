// What training adds to the layers: dropout by keys, the fused cross-entropy,
// products of bfloat16.

#include <gtest/gtest.h>
#include <keylens/nn/linear.h>
#include <keylens/nn/linear_cross_entropy.h>
#include <keylens/nn/residual_dropout.h>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

torch::Tensor CrossEntropyInTorch(const Tensors& in,
                                  const torch::Tensor& targets,
                                  double smoothing) {
  return torch::nn::functional::cross_entropy(
      torch::matmul(in[0], in[1].t()), targets,
      torch::nn::functional::CrossEntropyFuncOptions()
          .reduction(torch::kSum)
          .label_smoothing(smoothing));
}

TEST(LinearCrossEntropy, EqualsTorchsInDoubleWithAllGradients) {
  torch::manual_seed(1);
  for (const int64_t rows : {1, 31, 32, 75}) {
    for (const double smoothing : {0.0, 0.1}) {
      const torch::Tensor targets = torch::randint(0, 13, {rows}, torch::kLong);
      ExpectSameWithGradients(
          {torch::randn({rows, 8}), torch::randn({13, 8})},
          [&](const Tensors& in) {
            return LinearCrossEntropy(in[0], in[1], targets, smoothing);
          },
          [&](const Tensors& in) {
            return CrossEntropyInTorch(in, targets, smoothing);
          });
    }
  }
}

TEST(LinearCrossEntropy, IsCloseInBFloat16) {
  torch::manual_seed(2);
  const torch::Tensor rows = torch::randn({50, 64}).requires_grad_();
  const torch::Tensor weight =
      torch::randn({40, 64}).mul_(0.2).requires_grad_();
  const torch::Tensor targets = torch::randint(0, 40, {50}, torch::kLong);
  const torch::Tensor mixed =
      LinearCrossEntropy(rows.to(torch::kBFloat16), weight, targets, 0.1);
  const torch::Tensor expected =
      CrossEntropyInTorch({rows, weight}, targets, 0.1);
  EXPECT_LT(RelativeError(mixed, expected), 0.01);
  const auto actual = torch::autograd::grad({mixed}, {rows, weight});
  const auto right = torch::autograd::grad({expected}, {rows, weight});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(actual[i].scalar_type(), torch::kFloat32);
    EXPECT_LT(RelativeError(actual[i], right[i]), 0.03);
  }
}

TEST(LinearCrossEntropy, RefusesWhatDoesNotFit) {
  const torch::Tensor rows = torch::randn({3, 8});
  const torch::Tensor targets = torch::zeros({3}, torch::kLong);
  EXPECT_THROW(LinearCrossEntropy(rows, torch::randn({5, 7}), targets),
               c10::Error);
  EXPECT_THROW(LinearCrossEntropy(rows, torch::randn({5, 8}),
                                  torch::zeros({2}, torch::kLong)),
               c10::Error);
  EXPECT_THROW(LinearCrossEntropy(rows, torch::randn({5, 8}), targets, 1),
               c10::Error);
}

TEST(AddDropout, DropsAsManyAsAskedAndKeepsTheMean) {
  const torch::Tensor x = torch::zeros({400, 250});
  const torch::Tensor ones = torch::ones_like(x);
  const torch::Tensor out = AddDropout(x, ones, {0.2, torch::arange(400), 3});
  // 100,000 draws: five standard deviations are 0.0063.
  EXPECT_NEAR((out == 0).to(torch::kDouble).mean().item<double>(), 0.2, 0.0063);
  EXPECT_NEAR(out.max().item<double>(), 1.25, 1e-4);
  // Nor is a column or a row dropped more than others.
  EXPECT_NEAR(out.mean(0).max().item<double>(), 1, 0.15);
  EXPECT_NEAR(out.mean(1).min().item<double>(), 1, 0.17);
}

TEST(AddDropout, IsAFunctionOfKeySiteAndColumn) {
  const torch::Tensor x = torch::randn({3, 10}), branch = torch::randn({3, 10});
  const torch::Tensor keys = torch::tensor({5, 6, 7}, torch::kLong);
  const torch::Tensor out = AddDropout(x, branch, {0.5, keys, 1});
  EXPECT_TRUE(torch::equal(AddDropout(x, branch, {0.5, keys, 1}), out));
  EXPECT_FALSE(torch::equal(AddDropout(x, branch, {0.5, keys, 2}), out));
  const torch::Tensor flipped =
      AddDropout(x.flip(0), branch.flip(0), {0.5, keys.flip(0), 1});
  EXPECT_TRUE(torch::equal(flipped.flip(0), out));
}

TEST(AddDropout, GradientsAreThoseOfTheMask) {
  torch::manual_seed(3);
  const torch::Tensor keys = torch::arange(6);
  const DropoutDraw draw{0.3, keys, 9};
  const torch::Tensor mask =
      AddDropout(torch::zeros({6, 7}), torch::ones({6, 7}), draw)
          .to(torch::kDouble);
  ExpectSameWithGradients(
      {torch::randn({2, 3, 7}), torch::randn({2, 3, 7})},
      [&](const Tensors& in) { return AddDropout(in[0], in[1], draw); },
      [&](const Tensors& in) {
        return in[0] + in[1] * mask.view({2, 3, 7});
      });
}

TEST(AddDropout, TakesBFloat16BranchesAndRefusesWhatDoesNotFit) {
  const torch::Tensor x = torch::zeros({2, 6});
  torch::Tensor branch = torch::ones({2, 6}, torch::kBFloat16).requires_grad_();
  const torch::Tensor out = AddDropout(x, branch, {0.5, torch::arange(2), 0});
  EXPECT_EQ(out.scalar_type(), torch::kFloat32);
  out.sum().backward();
  EXPECT_TRUE(torch::equal(branch.grad().to(torch::kFloat32), out.detach()));
  EXPECT_TRUE(torch::equal(AddDropout(x, branch, {}), torch::ones({2, 6})));
  EXPECT_THROW(AddDropout(x, torch::ones({2, 5}), {0.5, {}}),
               std::invalid_argument);
  EXPECT_THROW(AddDropout(x, branch, {1.0, {}}), std::invalid_argument);
  EXPECT_THROW(AddDropout(x, branch, {0.5, torch::arange(3)}),
               std::invalid_argument);
}

TEST(Linear, FollowsABFloat16Input) {
  torch::manual_seed(4);
  for (const bool bias : {true, false}) {
    Linear linear(64, 48, bias);
    const torch::Tensor x =
        torch::randn({2, 9, 64}).to(torch::kBFloat16).requires_grad_();
    const torch::Tensor out = linear(x);
    EXPECT_EQ(out.scalar_type(), torch::kBFloat16);
    const torch::Tensor weight = torch::randn({2, 9, 48}).to(torch::kBFloat16);
    out.backward(weight);
    const torch::Tensor wide = x.detach().to(torch::kFloat32).requires_grad_();
    const torch::Tensor expected =
        torch::linear(wide, linear->weight, linear->bias);
    EXPECT_LT(RelativeError(out.to(torch::kFloat32), expected), 0.02);
    const torch::Tensor mixed_grad = linear->weight.grad().clone();
    EXPECT_EQ(mixed_grad.scalar_type(), torch::kFloat32);
    linear->zero_grad();
    expected.backward(weight.to(torch::kFloat32));
    EXPECT_LT(RelativeError(mixed_grad, linear->weight.grad()), 0.02);
    EXPECT_LT(RelativeError(x.grad().to(torch::kFloat32), wide.grad()), 0.02);
  }
}

}  // namespace
}  // namespace keylens::nn
