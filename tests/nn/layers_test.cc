#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/attention_head.h>
#include <keylens/nn/cross_attention.h>
#include <keylens/nn/memory.h>
#include <keylens/nn/multi_head_attention.h>
#include <keylens/nn/spatial_attention.h>

#include <cmath>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

torch::Tensor SplitHeads(const torch::Tensor& x, int64_t heads) {
  return x.reshape({x.size(0), x.size(1), heads, x.size(2) / heads})
      .transpose(1, 2);
}

torch::Tensor JoinHeads(const torch::Tensor& x) {
  return x.transpose(1, 2).reshape(
      {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

TEST(AttentionHead, EqualsTheComposedFormula) {
  torch::manual_seed(1);
  for (const bool bias : {true, false}) {
    AttentionHead head(24, 10, bias);
    const auto expected = [bias](const Tensors& in) {
      const auto linear = [&](int i) {
        return bias ? torch::linear(in[0], in[1 + 2 * i], in[2 + 2 * i])
                    : torch::linear(in[0], in[1 + i]);
      };
      return Compose(linear(0), linear(1), linear(2), 1 / std::sqrt(10.0)).out;
    };
    ExpectModuleSame(
        *head, {torch::randn({3, 7, 24})},
        [&](const Tensors& in) { return std::get<0>(head(in[0])); }, expected);
  }
}

TEST(AttentionHead, ReturnsWeightsWhoseRowsSumToOne) {
  torch::manual_seed(2);
  AttentionHead head(24, 10);
  const auto [output, weights] = head(torch::randn({3, 7, 24}));
  EXPECT_EQ(output.sizes(), (std::vector<int64_t>{3, 7, 10}));
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{3, 7, 7}));
  EXPECT_LT(RelativeError(weights.sum(-1), torch::ones({3, 7})), 1e-6);
  EXPECT_FALSE(weights.requires_grad());
}

// in: x, then weight and bias of query, key, value and output; `source` is what
// keys and values come from.
torch::Tensor ComposedMultiHead(const Tensors& in, size_t first,
                                const torch::Tensor& source, int64_t heads,
                                const torch::Tensor& live = {}) {
  const auto linear = [&](const torch::Tensor& x, size_t i) {
    return torch::linear(x, in[first + 2 * i], in[first + 2 * i + 1]);
  };
  const torch::Tensor query = SplitHeads(linear(in[0], 0), heads),
                      key = SplitHeads(linear(source, 1), heads),
                      value = SplitHeads(linear(source, 2), heads);
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(3)));
  return linear(JoinHeads(Compose(query, key, value, scale, live).out), 3);
}

TEST(MultiHeadAttention, FortyEightOverFourHeadsEqualsTheComposedFormula) {
  torch::manual_seed(3);
  MultiHeadAttention attention(48, 4);
  ExpectModuleSame(
      *attention, {torch::randn({2, 9, 48})},
      [&](const Tensors& in) { return attention(in[0]); },
      [](const Tensors& in) { return ComposedMultiHead(in, 1, in[0], 4); });
}

TEST(MultiHeadAttention, FortyEightOverFourHeadsHasHeadsOfTwelve) {
  MultiHeadAttention attention(48, 4);
  const auto [output, weights] =
      attention->forward_with_weights(torch::randn({2, 9, 48}));
  EXPECT_EQ(output.sizes(), (std::vector<int64_t>{2, 9, 48}));
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{2, 4, 9, 9}));
  EXPECT_EQ(attention->query->weight.sizes(), (std::vector<int64_t>{48, 48}));
  EXPECT_LT(RelativeError(weights.sum(-1), torch::ones({2, 4, 9})), 1e-6);
}

TEST(MultiHeadAttention, AttendsToAContextUnderAMask) {
  torch::manual_seed(4);
  MultiHeadAttention attention(24, 3);
  MultiHeadAttentionCall call;
  call.mask = KeyPaddingMask({5, 2});
  ExpectModuleSame(
      *attention, {torch::randn({2, 4, 24}), torch::randn({2, 6, 24})},
      [&](const Tensors& in) {
        call.context = in[1];
        return attention(in[0], call);
      },
      [](const Tensors& in) {
        return ComposedMultiHead(in, 2, in[1], 3, LiveKeys({5, 2}, 6));
      });
}

TEST(MultiHeadAttention, AskingForWeightsChangesNoBit) {
  MultiHeadAttention attention(48, 4);
  const torch::Tensor x = torch::randn({2, 33, 48});
  EXPECT_TRUE(torch::equal(attention(x),
                           std::get<0>(attention->forward_with_weights(x))));
  AttentionMaps maps;
  MultiHeadAttentionCall call;
  call.recorder = &maps;
  EXPECT_TRUE(torch::equal(attention(x), attention(x, call)));
}

TEST(MultiHeadAttention, RefusesHeadsThatDoNotDivide) {
  EXPECT_THROW(MultiHeadAttention(50, 4), std::invalid_argument);
  EXPECT_THROW(MultiHeadAttention(48, 0), std::invalid_argument);
}

// in: x, to_qkv.weight, to_out.weight, to_out.bias
torch::Tensor ComposedSpatial(const Tensors& in, int64_t heads,
                              int64_t dim_head) {
  const int64_t b = in[0].size(0), h = in[0].size(2), w = in[0].size(3);
  const auto parts = torch::conv2d(in[0], in[1]).chunk(3, 1);
  const auto split = [&](const torch::Tensor& part) {
    return part.reshape({b, heads, dim_head, h * w}).transpose(2, 3);
  };
  const double scale = 1 / std::sqrt(static_cast<double>(dim_head));
  const torch::Tensor out =
      Compose(split(parts[0]), split(parts[1]), split(parts[2]), scale).out;
  return torch::conv2d(out.transpose(2, 3).reshape({b, heads * dim_head, h, w}),
                       in[2], in[3]);
}

TEST(SpatialAttention,
     FourHeadsOfThirtyTwoOverAFeatureMapEqualsTheComposedFormula) {
  torch::manual_seed(5);
  for (const bool channels_last : {false, true}) {
    SpatialAttention attention(48);  // 4 heads of 32
    torch::Tensor x = torch::randn({2, 48, 6, 5});
    if (channels_last) x = ChannelsLast(x);
    ExpectModuleSame(
        *attention, {x}, [&](const Tensors& in) { return attention(in[0]); },
        [](const Tensors& in) { return ComposedSpatial(in, 4, 32); });
  }
}

TEST(SpatialAttention, FourHeadsOfThirtyTwoHasTheParametersOfItsName) {
  SpatialAttention attention(48);
  const auto parameters = attention->named_parameters();
  ASSERT_EQ(parameters.size(), 3);
  EXPECT_EQ(parameters["to_qkv.weight"].sizes(),
            (std::vector<int64_t>{384, 48, 1, 1}));
  EXPECT_EQ(parameters["to_out.weight"].sizes(),
            (std::vector<int64_t>{48, 128, 1, 1}));
  EXPECT_EQ(parameters["to_out.bias"].sizes(), (std::vector<int64_t>{48}));
}

TEST(SpatialAttention, ChannelsLastEqualsContiguous) {
  torch::manual_seed(6);
  SpatialAttention attention(24, 2, 8);
  const torch::Tensor x = torch::randn({2, 24, 7, 4});
  const torch::Tensor contiguous = attention(x);
  ToChannelsLast(*attention);
  const torch::Tensor last = attention(ChannelsLast(x));
  EXPECT_TRUE(contiguous.is_contiguous());
  EXPECT_TRUE(last.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_LT(RelativeError(last, contiguous), 2e-6);
}

// in: x, context, to_q.weight, to_out.weight, to_out.bias, to_k.weight,
// to_v.weight
torch::Tensor ComposedCross(const Tensors& in, int64_t heads,
                            const torch::Tensor& live) {
  const int64_t b = in[0].size(0), h = in[0].size(2), w = in[0].size(3),
                inner = in[2].size(0);
  const torch::Tensor query = torch::conv2d(in[0], in[2])
                                  .reshape({b, heads, inner / heads, h * w})
                                  .transpose(2, 3);
  const torch::Tensor key = SplitHeads(torch::linear(in[1], in[3]), heads);
  const torch::Tensor value = SplitHeads(torch::linear(in[1], in[4]), heads);
  const double scale = 1 / std::sqrt(static_cast<double>(inner / heads));
  const torch::Tensor out = Compose(query, key, value, scale, live).out;
  return torch::conv2d(out.transpose(2, 3).reshape({b, inner, h, w}), in[5],
                       in[6]);
}

TEST(CrossAttention, EqualsTheComposedFormulaWithLiveLengths) {
  torch::manual_seed(7);
  for (const bool channels_last : {false, true}) {
    CrossAttention attention(20, 12, 2, 8);
    torch::Tensor x = torch::randn({3, 20, 4, 5});
    if (channels_last) x = ChannelsLast(x);
    const std::vector<int64_t> lengths{3, 7, 1};
    ExpectModuleSame(
        *attention, {x, torch::randn({3, 7, 12})},
        [&](const Tensors& in) { return attention(in[0], in[1], lengths); },
        [&](const Tensors& in) {
          return ComposedCross(in, 2, LiveKeys(lengths, 7));
        });
  }
}

TEST(CrossAttention, TokensBeyondTheLiveLengthHaveNoWeight) {
  CrossAttention attention(20, 12, 2, 8);
  AttentionMaps maps;
  attention(torch::randn({2, 20, 3, 3}), torch::randn({2, 6, 12}),
            std::vector<int64_t>{2, 6}, &maps);
  ASSERT_EQ(maps.entries().size(), 1u);
  const torch::Tensor weights = maps.entries()[0].weights;
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{2, 2, 9, 6}));
  EXPECT_EQ(weights[0].slice(2, 2).abs().max().item<float>(), 0);
  EXPECT_GT(weights[1].min().item<float>(), 0);
  EXPECT_LT(RelativeError(weights.sum(-1), torch::ones({2, 2, 9})), 1e-6);
}

TEST(CrossAttention, AllTokensAreLiveWithoutLengths) {
  CrossAttention attention(20, 12, 2, 8);
  const torch::Tensor x = torch::randn({2, 20, 3, 3}),
                      context = torch::randn({2, 6, 12});
  EXPECT_TRUE(torch::equal(attention(x, context),
                           attention(x, context, std::vector<int64_t>{6, 6})));
}

}  // namespace
}  // namespace keylens::nn
