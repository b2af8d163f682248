#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/attention.h>

#include <cmath>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using ::testing::HasSubstr;

// query [b, heads, n, d], key [b, heads, m, d], value [b, heads, m, v], each
// dense in the given order of axes.
struct Case {
  int64_t batch, heads, query_len, kv_len, head_dim, value_dim;
};

torch::Tensor Random(const std::vector<int64_t>& shape,
                     const std::vector<int64_t>& memory_order) {
  std::vector<int64_t> permuted, back(4);
  for (size_t i = 0; i < 4; ++i) {
    permuted.push_back(shape[memory_order[i]]);
    back[memory_order[i]] = static_cast<int64_t>(i);
  }
  return torch::randn(permuted).permute(back);
}

std::vector<torch::Tensor> RandomInputs(
    const Case& c, const std::vector<int64_t>& memory_order = {0, 1, 2, 3}) {
  return {Random({c.batch, c.heads, c.query_len, c.head_dim}, memory_order),
          Random({c.batch, c.heads, c.kv_len, c.head_dim}, memory_order),
          Random({c.batch, c.heads, c.kv_len, c.value_dim}, memory_order)};
}

Formula Engine(const AttentionFuncOptions& options = {}) {
  return [options](const std::vector<torch::Tensor>& in) {
    return Attention(in[0], in[1], in[2], options);
  };
}

Formula Composed(double scale, const torch::Tensor& live = {}) {
  return [scale, live](const std::vector<torch::Tensor>& in) {
    return Compose(in[0], in[1], in[2], scale, live).out;
  };
}

class AttentionMemoryOrders
    : public ::testing::TestWithParam<std::vector<int64_t>> {};

TEST_P(AttentionMemoryOrders, EqualTheComposedFormulaWithAllGradients) {
  torch::manual_seed(1);
  for (const Case& c : {Case{2, 3, 17, 29, 20, 12}, Case{1, 4, 70, 5, 64, 64},
                        Case{3, 2, 1, 130, 7, 33}}) {
    const double scale = 1 / std::sqrt(static_cast<double>(c.head_dim));
    ExpectSameWithGradients(RandomInputs(c, GetParam()), Engine(),
                            Composed(scale));
  }
}

TEST_P(AttentionMemoryOrders, AreThoseOfOutputAndGradients) {
  const auto inputs = RandomInputs({2, 3, 17, 29, 20, 12}, GetParam());
  for (const auto& input : inputs) input.requires_grad_();
  const torch::Tensor out = Attention(inputs[0], inputs[1], inputs[2]);
  const auto grads =
      torch::autograd::grad({out}, inputs, {torch::randn(out.sizes())});
  EXPECT_TRUE(out.permute(GetParam()).is_contiguous());
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(grads[i].strides(), inputs[i].strides()) << i;
}

INSTANTIATE_TEST_SUITE_P(
    Memory, AttentionMemoryOrders,
    ::testing::Values(std::vector<int64_t>{0, 1, 2, 3},  // dense
                      std::vector<int64_t>{0, 1, 3, 2},  // channels first
                      std::vector<int64_t>{0, 2, 1,
                                           3}));  // [b, len, heads, dim]

TEST(Attention, TakesAScaleAndAMask) {
  torch::manual_seed(2);
  AttentionFuncOptions options;
  options.scale = 0.3;
  options.mask = KeyPaddingMask({4, 9, 1});
  ExpectSameWithGradients(RandomInputs({3, 2, 8, 9, 16, 16}), Engine(options),
                          Composed(0.3, LiveKeys({4, 9, 1}, 9)));
}

TEST(Attention, ReadsGroupedHeads) {
  torch::manual_seed(3);
  const std::vector<torch::Tensor> inputs{torch::randn({2, 6, 11, 8}),
                                          torch::randn({2, 2, 13, 8}),
                                          torch::randn({2, 2, 13, 8})};
  ExpectSameWithGradients(
      inputs, Engine(), [](const std::vector<torch::Tensor>& in) {
        return Compose(in[0], in[1].repeat_interleave(3, 1),
                       in[2].repeat_interleave(3, 1), 1 / std::sqrt(8.0))
            .out;
      });
}

TEST(Attention, ReadsSlicesAndBroadcastsWhereTheyLie) {
  torch::manual_seed(4);
  ExpectSameWithGradients(
      {torch::randn({2, 3, 10, 24}), torch::randn({1, 3, 12, 8})},
      [](const auto& in) {
        return Attention(in[0].narrow(3, 4, 8), in[1].expand({2, 3, 12, 8}),
                         in[1].expand({2, 3, 12, 8}));
      },
      [](const auto& in) {
        const torch::Tensor key = in[1].expand({2, 3, 12, 8});
        return Compose(in[0].narrow(3, 4, 8), key, key, 1 / std::sqrt(8.0)).out;
      });
}

TEST(Attention, TakesAnOutputGradientOfAnyStrides) {
  const auto inputs = RandomInputs({2, 2, 6, 7, 8, 8});
  for (const auto& input : inputs) input.requires_grad_();
  const torch::Tensor out = Attention(inputs[0], inputs[1], inputs[2]);
  const auto broadcast =
      torch::autograd::grad({out.sum()}, inputs);  // a gradient of stride 0
  const torch::Tensor again = Attention(inputs[0], inputs[1], inputs[2]);
  const auto dense =
      torch::autograd::grad({again}, inputs, {torch::ones(out.sizes())});
  for (size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(torch::equal(broadcast[i], dense[i])) << i;
}

TEST(Attention, ReportsWithoutChangingABitOfTheOutput) {
  torch::manual_seed(5);
  const auto in = RandomInputs({2, 3, 37, 41, 16, 16});
  AttentionReport report;
  report.want_weights = report.want_entropy = report.want_key_mass = true;
  report.want_top_keys = 5;
  AttentionFuncOptions options;
  options.report = &report;
  const torch::Tensor asked = Attention(in[0], in[1], in[2], options),
                      plain = Attention(in[0], in[1], in[2]);
  EXPECT_TRUE(torch::equal(asked, plain));
  const torch::Tensor weights =
      Compose(in[0].to(torch::kFloat64), in[1].to(torch::kFloat64),
              in[2].to(torch::kFloat64), 0.25)
          .weights;
  EXPECT_LT(RelativeError(report.weights, weights), 1e-5);
  EXPECT_LT(RelativeError(report.weights.sum(-1), torch::ones({2, 3, 37})),
            1e-6);
  EXPECT_LT(RelativeError(report.entropy, -(weights * weights.log()).sum(-1)),
            1e-5);
  EXPECT_LT(RelativeError(report.key_mass, weights.sum(2)), 1e-5);
  const auto [top_weights, top_keys] = weights.topk(5, -1);
  EXPECT_TRUE(torch::equal(report.top_keys, top_keys));
  EXPECT_LT(RelativeError(report.top_weights, top_weights), 1e-5);
}

TEST(Attention, KeepsTheMaskUntilTheBackwardPass) {
  const auto in = RandomInputs({2, 1, 4, 6, 8, 8});
  for (const auto& input : in) input.requires_grad_();
  AttentionFuncOptions options;
  options.mask = KeyPaddingMask({2, 3});
  const torch::Tensor out = Attention(in[0], in[1], in[2], options);
  options.mask.reset();
  const auto grads = torch::autograd::grad({out.sum()}, in);
  EXPECT_EQ(grads[2][0].slice(1, 2).abs().sum().item<float>(), 0);
  EXPECT_EQ(grads[2][1].slice(1, 3).abs().sum().item<float>(), 0);
  EXPECT_GT(grads[2][0].slice(1, 0, 2).abs().min().item<float>(), 0);
}

TEST(Attention, GivesOnlyTheGradientsAskedFor) {
  const auto in = RandomInputs({1, 2, 5, 6, 8, 8});
  in[1].requires_grad_();
  Attention(in[0], in[1], in[2]).sum().backward();
  EXPECT_TRUE(in[1].grad().defined());
  EXPECT_FALSE(in[0].grad().defined());
  EXPECT_FALSE(in[2].grad().defined());
}

TEST(Attention, HasNoSecondDerivativeAndSaysSo) {
  const auto in = RandomInputs({1, 1, 3, 3, 4, 4});
  in[0].requires_grad_();
  const torch::Tensor out = Attention(in[0], in[1], in[2]);
  try {
    torch::autograd::grad({out.sum()}, {in[0]}, {}, /*retain_graph=*/true,
                          /*create_graph=*/true);
    FAIL() << "no error";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Attention has no second derivative"));
  }
}

TEST(Attention, RefusesWhatItCannotRead) {
  const auto in = RandomInputs({1, 1, 3, 3, 4, 4});
  EXPECT_THROW(Attention(in[0].to(torch::kFloat64), in[1], in[2]), c10::Error);
  EXPECT_THROW(Attention(in[0][0], in[1], in[2]), c10::Error);
  EXPECT_THROW(Attention(in[0], torch::Tensor(), in[2]), c10::Error);
  EXPECT_THROW(Attention(in[0], torch::randn({1, 1, 3, 5}), in[2]),
               std::invalid_argument);
  EXPECT_THROW(Attention(in[0], in[1], torch::randn({1, 1, 2, 4})),
               std::invalid_argument);
  AttentionFuncOptions options;
  options.mask = KeyPaddingMask({1, 2});  // for a batch of 2
  EXPECT_THROW(Attention(in[0], in[1], in[2], options), std::invalid_argument);
}

TEST(Attention, TakesEmptyInputs) {
  EXPECT_EQ(Attention(torch::randn({0, 2, 3, 4}), torch::randn({0, 2, 5, 4}),
                      torch::randn({0, 2, 5, 4}))
                .numel(),
            0);
  const torch::Tensor no_keys =
      Attention(torch::randn({1, 2, 3, 4}), torch::randn({1, 2, 0, 4}),
                torch::randn({1, 2, 0, 4}));
  EXPECT_TRUE(torch::equal(no_keys, torch::zeros({1, 2, 3, 4})));
}

TEST(PackedAttention, EqualsAttentionOnItsThreePartsInBothFormats) {
  torch::manual_seed(6);
  const torch::Tensor packed = torch::randn({2, 3 * 4 * 8, 5, 7});
  const Formula composed = [](const std::vector<torch::Tensor>& in) {
    const auto parts = in[0].flatten(2).chunk(3, 1);
    const auto heads = [](const torch::Tensor& part) {
      return part.view({2, 4, 8, 35}).transpose(2, 3);
    };
    return Compose(heads(parts[0].contiguous()), heads(parts[1].contiguous()),
                   heads(parts[2].contiguous()), 1 / std::sqrt(8.0))
        .out.transpose(2, 3)
        .reshape({2, 32, 5, 7});
  };
  const Formula engine = [](const std::vector<torch::Tensor>& in) {
    return PackedAttention(in[0], 4);
  };
  ExpectSameWithGradients({packed.clone()}, engine, composed);
  ExpectSameWithGradients({ChannelsLast(packed)}, engine, composed);
  ExpectSameWithGradients({packed.transpose(2, 3).contiguous().transpose(2, 3)},
                          engine, composed);
}

TEST(PackedAttention, KeepsTheMemoryFormat) {
  for (const bool channels_last : {false, true}) {
    torch::Tensor packed = torch::randn({2, 24, 3, 5});
    if (channels_last) packed = ChannelsLast(packed);
    packed.requires_grad_();
    const torch::Tensor out = PackedAttention(packed, 2);
    const auto format = channels_last ? at::MemoryFormat::ChannelsLast
                                      : at::MemoryFormat::Contiguous;
    EXPECT_TRUE(out.is_contiguous(format));
    EXPECT_TRUE(
        torch::autograd::grad({out}, {packed}, {torch::randn(out.sizes())})[0]
            .is_contiguous(format));
    EXPECT_TRUE(torch::equal(out, PackedAttention(packed.detach(), 2)));
  }
}

TEST(PackedAttention, RefusesChannelsThatDoNotDivide) {
  EXPECT_THROW(PackedAttention(torch::randn({1, 25, 4}), 2), c10::Error);
  EXPECT_THROW(PackedAttention(torch::randn({1, 24}), 2), c10::Error);
}

}  // namespace
}  // namespace keylens::nn
