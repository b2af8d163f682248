#include <gtest/gtest.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/linear.h>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

TEST(Linear, EqualsTorchsInDoubleWithAllGradients) {
  torch::manual_seed(1);
  for (const auto& shape : std::vector<std::vector<int64_t>>{
           {7}, {1, 7}, {5, 7}, {3, 11, 7}, {2, 3, 4, 7}}) {
    for (const bool bias : {true, false}) {
      Linear linear(7, 13, bias);
      ExpectModuleSame(
          *linear, {torch::randn(shape)},
          [&](const Tensors& in) { return linear(in[0]); },
          [&](const Tensors& in) {
            return torch::linear(in[0], in[1], bias ? in[2] : torch::Tensor());
          });
    }
  }
}

TEST(Linear, TakesRowsOfAnyStridesAndBatchesOfAnySize) {
  torch::manual_seed(2);
  for (const int64_t rows : {1, 15, 16, 17, 300}) {
    Linear linear(64, 96);
    ExpectModuleSame(
        *linear, {torch::randn({64, rows})},
        [&](const Tensors& in) { return linear(in[0].t()); },
        [&](const Tensors& in) {
          return torch::linear(in[0].t(), in[1], in[2]);
        });
  }
}

TEST(Linear, HasTorchsParameters) {
  Linear linear(3, 5);
  const auto parameters = linear->named_parameters();
  EXPECT_EQ(parameters["weight"].sizes(), (std::vector<int64_t>{5, 3}));
  EXPECT_EQ(parameters["bias"].sizes(), (std::vector<int64_t>{5}));
  EXPECT_FALSE(Linear(3, 5, false)->named_parameters().contains("bias"));
}

TEST(Linear, TakesEmptyInputsAndRefusesWrongOnes) {
  Linear linear(3, 5);
  EXPECT_EQ(linear(torch::randn({0, 3})).sizes(), (std::vector<int64_t>{0, 5}));
  EXPECT_THROW(linear(torch::randn({2, 4})), c10::Error);
}

TEST(Conv2d, EqualsTorchsInDoubleWithAllGradients) {
  torch::manual_seed(4);
  for (const int64_t kernel : {1, 3}) {
    for (const bool channels_last : {false, true}) {
      Conv2d conv(torch::nn::Conv2dOptions(8, 12, kernel).padding(kernel / 2));
      torch::Tensor x = torch::randn({3, 8, 5, 6});
      if (channels_last) x = ChannelsLast(x);
      ExpectModuleSame(
          *conv, {x}, [&](const Tensors& in) { return conv(in[0]); },
          [&](const Tensors& in) {
            return torch::conv2d(in[0], in[1], in[2], 1, kernel / 2);
          });
    }
  }
}

TEST(Conv2d, LeavesOtherPaddingsToTorch) {
  torch::nn::Conv2dOptions options(4, 4, 3);
  Conv2d same(options.padding(torch::kSame)),
      circular(options.padding(1).padding_mode(torch::kCircular));
  EXPECT_EQ(same(torch::randn({1, 4, 5, 5})).sizes(),
            (std::vector<int64_t>{1, 4, 5, 5}));
  const torch::Tensor uniform = circular(torch::ones({1, 4, 5, 5}));
  EXPECT_LT(
      RelativeError(uniform, uniform.mean({2, 3}, true).expand_as(uniform)),
      1e-6);
  EXPECT_THROW(circular(torch::ones({1, 4, 5, 5}).to(torch::kBFloat16)),
               c10::Error);
}

// The bits of `forward` in one thread and in three.
template <typename Forward>
void ExpectSameBitsForAnyThreads(const Forward& forward) {
  torch::NoGradGuard no_grad;
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const torch::Tensor one = forward();
  at::set_num_threads(3);
  const torch::Tensor three = forward();
  at::set_num_threads(before);
  EXPECT_TRUE(torch::equal(one, three));
}

TEST(Layers, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const int64_t batch : {1, 2, 5}) {
    for (const int64_t kernel : {1, 3}) {
      Conv2d conv(torch::nn::Conv2dOptions(24, 40, kernel).padding(kernel / 2));
      const torch::Tensor x = ChannelsLast(torch::randn({batch, 24, 8, 8}));
      ExpectSameBitsForAnyThreads([&] { return conv(x); });
    }
    Linear linear(48, 80);
    const torch::Tensor rows = torch::randn({batch, 9, 48});
    ExpectSameBitsForAnyThreads([&] { return linear(rows); });
  }
}

TEST(Conv2d, FollowsTheTypeOfItsInput) {
  torch::manual_seed(3);
  Conv2d conv(torch::nn::Conv2dOptions(8, 12, 3).padding(1).stride(2));
  const torch::Tensor x = torch::randn({2, 8, 9, 7});
  const torch::Tensor in_float = conv(x),
                      in_bfloat16 = conv(x.to(torch::kBFloat16));
  EXPECT_TRUE(
      torch::equal(in_float, torch::conv2d(x, conv->weight, conv->bias, 2, 1)));
  EXPECT_EQ(in_bfloat16.scalar_type(), torch::kBFloat16);
  EXPECT_LT(RelativeError(in_bfloat16, in_float), 0.02);
  in_bfloat16.to(torch::kFloat32).square().sum().backward();
  EXPECT_EQ(conv->weight.grad().scalar_type(), torch::kFloat32);
  EXPECT_GT(conv->weight.grad().abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace keylens::nn
