#include "src/train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/nn/torch_pool.h"

namespace keylens::train {
namespace {

constexpr int64_t kSize = 5000;  // more than two chunks, and a ragged one

struct Buffers {
  torch::Tensor values, average;
  std::vector<torch::Tensor> gradients;
};

Buffers MakeBuffers(int gradients) {
  torch::manual_seed(1);
  Buffers buffers;
  buffers.values = torch::randn({kSize});
  buffers.average = buffers.values.clone();
  for (int i = 0; i < gradients; ++i) {
    buffers.gradients.push_back(torch::zeros({kSize}));
  }
  return buffers;
}

// A gradient for each step, split over the buffers.
void FillGradients(Buffers& buffers, int step) {
  torch::manual_seed(100 + step);
  for (torch::Tensor& gradient : buffers.gradients) {
    gradient.copy_(torch::randn({kSize}));
  }
}

TEST(OptimizerTest, TakesTheStepsOfTorchsAdamW) {
  Buffers buffers = MakeBuffers(1);
  OptimizerOptions options;
  options.weight_decay = 0.1;
  options.clip_norm = 0;
  Optimizer optimizer(buffers.values, buffers.gradients, buffers.average,
                      options);
  torch::Tensor expected =
      buffers.values.to(torch::kDouble).clone().requires_grad_(true);
  torch::optim::AdamW adam({expected},
                           torch::optim::AdamWOptions(0.01)
                               .betas({options.beta1, options.beta2})
                               .eps(options.epsilon)
                               .weight_decay(options.weight_decay));
  torch::Tensor average = expected.detach().clone();
  ThreadPool threads = nn::TorchPool(2);
  for (int step = 0; step < 20; ++step) {
    FillGradients(buffers, step);
    expected.mutable_grad() = buffers.gradients[0].to(torch::kDouble);
    optimizer.Step(0.01, 0.9, threads);
    adam.step();
    average = 0.9 * average + 0.1 * expected.detach();
  }
  EXPECT_LT((buffers.values - expected.detach()).abs().max().item<double>(),
            5e-6);  // twenty roundings of weights around 3
  EXPECT_LT((buffers.average - average).abs().max().item<double>(), 2e-6);
  EXPECT_EQ(buffers.gradients[0].abs().max().item<float>(), 0);
  EXPECT_EQ(optimizer.steps(), 20);
}

TEST(OptimizerTest, ClipsTheSumOfTheGradients) {
  Buffers buffers = MakeBuffers(2);
  OptimizerOptions options;
  options.clip_norm = 1;
  Optimizer optimizer(buffers.values, buffers.gradients, buffers.average,
                      options);
  buffers.gradients[0].fill_(3);
  buffers.gradients[1].fill_(1);
  ThreadPool threads = nn::TorchPool(1);
  EXPECT_NEAR(optimizer.Step(0.01, 0.9, threads), 4 * std::sqrt(kSize), 1e-2);
  // The first moment is (1 - beta1) times the clipped gradient.
  const double clipped = 1 / std::sqrt(kSize);
  EXPECT_NEAR(optimizer.first_moment()[17].item<double>(), 0.1 * clipped, 1e-7);
  EXPECT_EQ(buffers.gradients[1].abs().max().item<float>(), 0);
}

TEST(OptimizerTest, TheNumberOfThreadsChangesNoBit) {
  std::vector<Buffers> results;
  for (const int count : {1, 2, 3}) {
    Buffers buffers = MakeBuffers(2);
    Optimizer optimizer(buffers.values, buffers.gradients, buffers.average, {});
    ThreadPool threads = nn::TorchPool(count);
    for (int step = 0; step < 5; ++step) {
      FillGradients(buffers, step);
      optimizer.Step(0.01, 0.9, threads);
    }
    results.push_back(buffers);
  }
  EXPECT_TRUE(results[0].values.equal(results[1].values));
  EXPECT_TRUE(results[0].values.equal(results[2].values));
  EXPECT_TRUE(results[0].average.equal(results[2].average));
}

TEST(OptimizerTest, AGradientThatIsNotFiniteChangesNothing) {
  for (const float bad : {INFINITY, -INFINITY, NAN}) {
    Buffers buffers = MakeBuffers(1);
    const torch::Tensor before = buffers.values.clone();
    Optimizer optimizer(buffers.values, buffers.gradients, buffers.average, {});
    FillGradients(buffers, 0);
    buffers.gradients[0][4999] = bad;
    ThreadPool threads = nn::TorchPool(2);
    EXPECT_FALSE(std::isfinite(optimizer.Step(0.01, 0.9, threads)));
    EXPECT_TRUE(buffers.values.equal(before));
    EXPECT_TRUE(buffers.average.equal(before));
    EXPECT_EQ(optimizer.steps(), 0);
    EXPECT_EQ(buffers.gradients[0].abs().max().item<float>(), 0);
  }
}

TEST(OptimizerTest, RefusesBuffersOfAnotherSize) {
  Buffers buffers = MakeBuffers(1);
  EXPECT_THROW(Optimizer(buffers.values, {torch::zeros({kSize - 1})},
                         buffers.average, {}),
               std::invalid_argument);
  EXPECT_THROW(Optimizer(buffers.values, {}, buffers.average, {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace keylens::train
