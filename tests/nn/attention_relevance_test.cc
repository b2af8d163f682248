#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/attention_relevance.h>

#include <cmath>

namespace keylens::nn {
namespace {

// The positive part of weight times gradient in double, by autograd.
torch::Tensor PlainRelevance(const torch::Tensor& query,
                             const torch::Tensor& key,
                             const torch::Tensor& value,
                             const torch::Tensor& out_grad, double scale,
                             bool causal) {
  torch::Tensor scores = query.to(torch::kFloat64)
                             .matmul(key.to(torch::kFloat64).transpose(2, 3)) *
                         scale;
  if (causal) {
    const torch::Tensor later =
        torch::ones({query.size(2), key.size(2)}, torch::kBool).triu(1);
    scores = scores.masked_fill(later, -INFINITY);
  }
  const torch::Tensor weights = scores.softmax(-1).set_requires_grad(true);
  const torch::Tensor gradient =
      torch::autograd::grad({weights.matmul(value.to(torch::kFloat64))},
                            {weights}, {out_grad.to(torch::kFloat64)})[0];
  return (weights.detach() * gradient).clamp_min(0);
}

TEST(AttentionRelevance, IsThePositivePartOfWeightTimesGradient) {
  torch::manual_seed(3);
  const torch::Tensor query = torch::randn({2, 3, 19, 12});
  // Heads side by side in memory, as layers have them.
  const torch::Tensor key = torch::randn({2, 41, 3, 12}).transpose(1, 2);
  const torch::Tensor value = torch::randn({2, 41, 3, 7}).transpose(1, 2);
  const torch::Tensor out_grad = torch::randn({2, 19, 3, 7}).transpose(1, 2);
  AttentionFuncOptions options;
  options.scale = 0.4;
  const torch::Tensor plain =
      PlainRelevance(query, key, value, out_grad, 0.4, false);
  const torch::Tensor found =
      AttentionRelevance(query, key, value, out_grad, options);
  ASSERT_EQ(found.sizes(), plain.sizes());
  EXPECT_LT((found.to(torch::kFloat64) - plain).abs().max().item<double>(),
            1e-5 * plain.max().item<double>());
}

TEST(AttentionRelevance, OfAMaskedKeyIsZero) {
  torch::manual_seed(4);
  const torch::Tensor query = torch::randn({1, 2, 9, 8});
  const torch::Tensor key = torch::randn({1, 2, 9, 8});
  const torch::Tensor value = torch::randn({1, 2, 9, 8});
  const torch::Tensor out_grad = torch::randn({1, 2, 9, 8});
  AttentionFuncOptions options;
  options.mask = CausalMask(CausalAlignment::kTopLeft);
  const torch::Tensor plain =
      PlainRelevance(query, key, value, out_grad, 1 / std::sqrt(8.0), true);
  const torch::Tensor found =
      AttentionRelevance(query, key, value, out_grad, options);
  EXPECT_LT((found.to(torch::kFloat64) - plain).abs().max().item<double>(),
            1e-5 * plain.max().item<double>());
  EXPECT_EQ(found[0][1][2][3].item<float>(), 0);
}

TEST(AttentionRelevance, RefusesShapesThatDisagree) {
  const torch::Tensor x = torch::randn({1, 2, 5, 8});
  EXPECT_THROW(AttentionRelevance(x, x, x, torch::randn({1, 2, 4, 8})),
               std::invalid_argument);
  EXPECT_THROW(AttentionRelevance(x, x, x, torch::randn({2, 5, 8})),
               c10::Error);
}

}  // namespace
}  // namespace keylens::nn
