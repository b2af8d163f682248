// What score mods learn, summed over many tiles by many threads.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/every_target.h"

namespace keylens {
namespace {

class LearntMod : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, LearntMod, EveryTarget(), TargetName);

// Several stretches of keys, tiles of queries, and grouped heads.
constexpr AttentionShape kLong = {2, 6, 3, 101, 2100, 24, 20};

TEST_P(LearntMod, IsASumOfWhatADenseBiasLearns) {
  AttentionCase attention(kLong);
  Buffer<float, 4> dense({1, 6, 101, 2100}), dense_grad({1, 6, 101, 2100});
  dense.Fill([] { return 0.0f; });
  const auto bias = AdditiveBias(dense.view(), dense_grad.view());
  Learn(attention, {bias.get()});
  Buffer<float, 1> slope_grad({6});
  const auto alibi = AlibiBias(std::vector<float>(6, 0.0f), slope_grad.view());
  Learn(attention, {alibi.get()});
  std::vector<double> wanted(6), size(6);
  ForEachIndex<4>(dense.view().shape, [&](const auto& at) {
    const auto distance =
        static_cast<double>(std::abs(at[2] + 2100 - 101 - at[3]));
    wanted[at[1]] -= distance * dense_grad(at);
    size[at[1]] += distance * std::abs(dense_grad(at));
  });
  for (int64_t h = 0; h < 6; ++h) {
    EXPECT_NEAR(slope_grad({h}), wanted[h], 1e-6 * size[h]) << "head " << h;
  }
}

// The gradients that three kinds of learnt mods get, with so many threads.
std::vector<float> AllLearntBy(AttentionCase attention, int threads) {
  Buffer<float, 2> table({6, 32}), table_grad({6, 32});
  table.Fill([] { return 0.5f; });
  Buffer<float, 1> slope_grad({6});
  Buffer<float, 4> bias({1, 1, 101, 2100}), bias_grad({1, 1, 101, 2100});
  bias.Fill([] { return 0.25f; });
  const auto relative = RelativePositionBias(table.view(), table_grad.view());
  const auto alibi = AlibiBias(AlibiSlopes(6), slope_grad.view());
  const auto additive = AdditiveBias(bias.view(), bias_grad.view());
  attention.options.num_threads = threads;
  Learn(attention, {relative.get(), alibi.get()});
  std::vector<float> all = table_grad.Values();
  for (const float x : slope_grad.Values()) all.push_back(x);
  // Beside a mod that wants another order.
  Learn(attention, {relative.get(), additive.get()});
  for (const float x : table_grad.Values()) all.push_back(x);
  return all;
}

TEST_P(LearntMod, HasTheSameBitsForAnyThreads) {
  AttentionCase attention(kLong);
  const std::vector<float> alone = AllLearntBy(attention, 1);
  for (const int threads : {2, 3, 5}) {
    EXPECT_TRUE(SameBits(AllLearntBy(attention, threads), alone));
  }
}

// Key by key, the sum over batch entries, heads and queries of many tiles.
TEST_P(LearntMod, OfABiasHasTheSameBitsForAnyThreads) {
  AttentionCase attention(kLong);
  for (const std::array<int64_t, 4>& axes :
       {std::array<int64_t, 4>{1, 1, 1, 2100},
        {1, 6, 101, 1},
        {1, 1, 101, 2100},
        {2, 1, 1, 1}}) {
    std::vector<std::vector<float>> gradients;
    for (const int threads : {1, 2, 3}) {
      Buffer<float, 4> bias(axes), gradient(axes);
      bias.Fill([] { return 0.25f; });
      const auto mod = AdditiveBias(bias.view(), gradient.view());
      attention.options.num_threads = threads;
      Learn(attention, {mod.get()});
      gradients.push_back(gradient.Values());
      EXPECT_TRUE(SameBits(gradients.back(), gradients.front()));
    }
  }
}

TEST(LearntModErrors, NameWhatIsWrong) {
  std::vector<float> memory(24);
  const auto table = Contiguous<const float>(memory.data(), {4, 6});
  EXPECT_EQ(InvalidArgument([&] {
              AdditiveBias(Contiguous<const float>(memory.data(), {1, 4, 1, 1}),
                           Contiguous(memory.data(), {1, 1, 1, 4}));
            }),
            "AdditiveBias: the gradient by bias has length 1 on axis 1, "
            "expected 4");
  EXPECT_EQ(InvalidArgument([&] {
              AlibiBias({1, 2}, Contiguous(memory.data(), {3}));
            }),
            "AlibiBias: the gradient by slopes has length 3 on axis 0, "
            "expected 2");
  EXPECT_EQ(InvalidArgument([&] {
              RelativePositionBias(table, {memory.data(), {4, 6}, {0, 1}});
            }),
            "RelativePositionBias: the gradient by table has stride 0 on axis "
            "0");
  EXPECT_EQ(InvalidArgument([&] {
              RelativePositionBias(table, Contiguous<float>(nullptr, {4, 6}));
            }),
            "RelativePositionBias: the gradient by table has null data");
}

}  // namespace
}  // namespace keylens
