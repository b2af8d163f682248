#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <keylens/nn/group_norm.h>

#include <limits>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

// in: x, weight, bias and, where there is a fourth, film.
torch::Tensor Composed(const Tensors& in, int64_t groups, bool silu) {
  torch::Tensor z = torch::group_norm(in[0], groups, in[1], in[2], 1e-5,
                                      /*cudnn_enabled=*/false);
  if (in.size() > 3) {
    const auto film = in[3].unsqueeze(-1).unsqueeze(-1).chunk(2, 1);
    z = z * (1 + film[0]) + film[1];
  }
  return silu ? torch::silu(z) : z;
}

torch::Tensor Fused(const Tensors& in, int64_t groups, bool silu) {
  GroupNormFuncOptions options;
  options.num_groups = groups;
  options.activation = silu ? NormActivation::kSilu : NormActivation::kNone;
  return GroupNormFunc(in[0], in[1], in[2],
                       in.size() > 3 ? in[3] : torch::Tensor(), options);
}

struct Map {
  int64_t channels, groups, height, width;
};

class GroupNormOnMaps : public ::testing::TestWithParam<bool> {
 protected:
  // Leaves for `map` in the memory format of the parameter, with a mean of 3.
  Tensors Leaves(const Map& map, bool film) const {
    torch::Tensor x =
        torch::randn({3, map.channels, map.height, map.width}) * 2 + 3;
    if (GetParam()) x = ChannelsLast(x);
    Tensors leaves{x, torch::rand({map.channels}) + 0.5,
                   torch::randn({map.channels})};
    if (film) leaves.push_back(torch::randn({3, 2 * map.channels}));
    return leaves;
  }
};

TEST_P(GroupNormOnMaps, EqualTheComposedFormulaWithAllGradients) {
  torch::manual_seed(1);
  // Channels below, at and beyond a vector; pixels too; groups of one channel,
  // of all.
  for (const Map& map :
       {Map{48, 8, 16, 16}, Map{6, 3, 5, 7}, Map{20, 20, 3, 3},
        Map{17, 1, 2, 9}, Map{40, 8, 1, 1}, Map{3, 1, 40, 41}}) {
    for (const bool silu : {false, true}) {
      for (const bool film : {false, true}) {
        SCOPED_TRACE(::testing::Message() << map.channels << " channels, silu "
                                          << silu << ", film " << film);
        ExpectSameWithGradients(
            Leaves(map, film),
            [&](const Tensors& in) { return Fused(in, map.groups, silu); },
            [&](const Tensors& in) { return Composed(in, map.groups, silu); });
      }
    }
  }
}

TEST_P(GroupNormOnMaps, KeepTheirFormatAndType) {
  const Tensors in = Leaves({8, 2, 3, 5}, false);
  const auto format = GetParam() ? at::MemoryFormat::ChannelsLast
                                 : at::MemoryFormat::Contiguous;
  in[0].requires_grad_();
  const torch::Tensor y = Fused(in, 2, true);
  EXPECT_TRUE(y.is_contiguous(format));
  EXPECT_TRUE(
      torch::autograd::grad({y.sum()}, {in[0]})[0].is_contiguous(format));
  EXPECT_EQ(
      Fused({in[0].to(torch::kBFloat16), in[1], in[2]}, 2, true).scalar_type(),
      torch::kBFloat16);
}

// A bfloat16 map gives what its values give in float, rounded once.
TEST_P(GroupNormOnMaps, RoundOnceInBFloat16) {
  torch::manual_seed(2);
  for (const Map& map : {Map{48, 8, 8, 8}, Map{6, 3, 5, 7}}) {
    Tensors in = Leaves(map, true);
    const torch::Tensor rounded = in[0].to(torch::kBFloat16).requires_grad_();
    const torch::Tensor same_in_float =
        rounded.detach().to(torch::kFloat32).requires_grad_();
    const torch::Tensor grad =
        torch::randn(rounded.sizes()).to(torch::kBFloat16);
    const torch::Tensor y =
        Fused({rounded, in[1], in[2], in[3]}, map.groups, true);
    const torch::Tensor expected =
        Fused({same_in_float, in[1], in[2], in[3]}, map.groups, true);
    EXPECT_TRUE(torch::equal(y, expected.to(torch::kBFloat16)));
    const torch::Tensor x_grad =
        torch::autograd::grad({y}, {rounded}, {grad})[0];
    const torch::Tensor expected_grad = torch::autograd::grad(
        {expected}, {same_in_float}, {grad.to(torch::kFloat32)})[0];
    EXPECT_EQ(x_grad.scalar_type(), torch::kBFloat16);
    EXPECT_TRUE(torch::equal(x_grad, expected_grad.to(torch::kBFloat16)));
  }
}

TEST_P(GroupNormOnMaps, KeepTheirDigitsFarFromZero) {
  torch::manual_seed(3);
  Tensors in = Leaves({32, 4, 16, 16}, false);
  in[0] = in[0] + 1000;
  const torch::Tensor doubled =
      Composed({in[0].to(torch::kFloat64), in[1].to(torch::kFloat64),
                in[2].to(torch::kFloat64)},
               4, false);
  EXPECT_LT(RelativeError(Fused(in, 4, false), doubled), 1e-5);
}

TEST_P(GroupNormOnMaps, GiveTheSameBitsForAnyNumberOfThreads) {
  const Tensors in = Leaves({24, 4, 9, 9}, true);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const torch::Tensor one = Fused(in, 4, true);
  at::set_num_threads(3);
  const torch::Tensor three = Fused(in, 4, true);
  at::set_num_threads(before);
  EXPECT_TRUE(torch::equal(one, three));
}

TEST_P(GroupNormOnMaps, EqualTheComposedFormulaForEveryInstructionSet) {
  torch::manual_seed(4);
  for (int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    for (const Map& map : {Map{48, 8, 6, 6}, Map{17, 1, 2, 9}}) {
      ExpectSameWithGradients(
          Leaves(map, true),
          [&](const Tensors& in) { return Fused(in, map.groups, true); },
          [&](const Tensors& in) { return Composed(in, map.groups, true); });
    }
    const torch::Tensor halves =
        torch::randn({4099}).to(torch::kBFloat16).view({1, 1, 1, 4099});
    const Tensors in{halves, torch::ones({1}), torch::zeros({1})};
    const Tensors in_float{halves.to(torch::kFloat32), in[1], in[2]};
    EXPECT_TRUE(torch::equal(Fused(in, 1, true),
                             Fused(in_float, 1, true).to(torch::kBFloat16)));
    hwy::SetSupportedTargetsForTest(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, GroupNormOnMaps, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "ChannelsLast" : "Contiguous";
                         });

TEST(GroupNorm, OfAConstantMapIsItsBias) {
  const torch::Tensor y =
      Fused({torch::full({1, 4, 3, 3}, 7.0), torch::ones({4}),
             torch::arange(4).to(torch::kFloat)},
            2, false);
  for (int64_t c = 0; c < 4; ++c)
    EXPECT_TRUE(
        torch::equal(y[0][c], torch::full({3, 3}, static_cast<float>(c))));
}

TEST(GroupNorm, PassesNanOnAndNoFurther) {
  torch::Tensor x = torch::randn({2, 4, 3, 3});
  x[0][0][0][0] = std::numeric_limits<float>::quiet_NaN();
  const torch::Tensor y =
      Fused({x, torch::ones({4}), torch::zeros({4})}, 2, true);
  EXPECT_TRUE(y[0].slice(0, 0, 2).isnan().all().item<bool>());
  EXPECT_FALSE(y[0].slice(0, 2).isnan().any().item<bool>());
  EXPECT_FALSE(y[1].isnan().any().item<bool>());
}

TEST(GroupNorm, SiluIsFiniteForLargeValues) {
  const torch::Tensor y = Fused(
      {torch::randn({1, 2, 8, 8}), torch::full({2}, 1e4), torch::zeros({2})}, 1,
      true);
  EXPECT_TRUE(y.isfinite().all().item<bool>());
  EXPECT_GT(y.max().item<float>(), 1e4);
  EXPECT_GT(y.min().item<float>(), -0.3);
}

TEST(GroupNorm, CopiesMapsOfOtherStrides) {
  const torch::Tensor x =
      torch::randn({2, 3, 5, 4}).transpose(1, 3);  // [2, 4, 5, 3]
  const Tensors rest{torch::rand({4}), torch::randn({4})};
  EXPECT_TRUE(torch::equal(Fused({x, rest[0], rest[1]}, 2, true),
                           Fused({x.contiguous(), rest[0], rest[1]}, 2, true)));
}

TEST(GroupNorm, RefusesShapesThatDoNotFit) {
  const torch::Tensor x = torch::randn({2, 6, 3, 3}), six = torch::ones({6});
  EXPECT_THROW(Fused({x, six, six}, 4, false), std::invalid_argument);
  EXPECT_THROW(Fused({x, torch::ones({5}), six}, 3, false),
               std::invalid_argument);
  EXPECT_THROW(Fused({x, six, six, torch::ones({2, 6})}, 3, false),
               std::invalid_argument);
  EXPECT_THROW(Fused({x[0], six, six}, 3, false), c10::Error);
  EXPECT_THROW(Fused({x.to(torch::kFloat64), six, six}, 3, false), c10::Error);
  EXPECT_THROW(GroupNormSilu(4, 6), std::invalid_argument);
}

TEST(GroupNorm, HasNoSecondDerivativeAndSaysSo) {
  const torch::Tensor x = torch::randn({1, 2, 3, 3}).requires_grad_();
  const torch::Tensor y =
      Fused({x, torch::ones({2}), torch::zeros({2})}, 1, true).sum();
  EXPECT_THROW(torch::autograd::grad({y}, {x}, {}, true, /*create_graph=*/true),
               c10::Error);
}

}  // namespace
}  // namespace keylens::nn
