// Line 30 of the table of corners: partial results put together.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/buffer.h"
#include "tests/attention/element.h"
#include "tests/attention/every_element.h"

namespace keylens {
namespace {

class Merge : public OnEveryTargetAndElement {};
INSTANTIATE_TEST_SUITE_P(, Merge, EveryTargetAndElement(),
                         TargetAndElementName);

// The results of attention over the keys [first, end) of the case.
ForwardResult OverKeys(const AttentionCase& attention, int64_t first,
                       int64_t end) {
  AttentionInputs<float> inputs = attention.Inputs();
  for (auto* view : {&inputs.key, &inputs.value}) {
    view->data += first * view->strides[2];
    view->shape[2] = end - first;
  }
  const AttentionShape shape = attention.Shape();
  ForwardResult result{
      Buffer<float, 4>(
          {shape.batch, shape.num_heads, shape.query_len, shape.value_dim}),
      Buffer<float, 3>({shape.batch, shape.num_heads, shape.query_len})};
  RunForward(inputs, attention.options, result.Outputs());
  return result;
}

AttentionPart<float> PartOf(ForwardResult& result) {
  return {result.out.view(), result.logsumexp.view()};
}

ForwardResult Merged(std::vector<AttentionPart<float>> parts) {
  ForwardResult merged{Buffer<float, 4>(parts[0].out.shape),
                       Buffer<float, 3>(parts[0].logsumexp.shape)};
  RunMerge(parts, merged.Outputs());
  return merged;
}

void ExpectHalvesMerge(const AttentionCase& attention, int64_t cut) {
  ForwardResult whole = Forward(attention);
  ForwardResult left = OverKeys(attention, 0, cut);
  ForwardResult right = OverKeys(attention, cut, attention.Shape().kv_len);
  const ForwardResult merged = Merged({PartOf(left), PartOf(right)});
  const auto wanted = whole.out.Values(), got = merged.out.Values();
  // The whole is rounded, and so are the parts and what is made of them.
  constexpr double kLargest = 4;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_NEAR(got[i], wanted[i], 1e-6 + 3 * RoundingOf(kLargest));
  const auto sums = whole.logsumexp.Values(),
             got_sums = merged.logsumexp.Values();
  for (std::size_t i = 0; i < sums.size(); ++i)
    ASSERT_NEAR(got_sums[i], sums[i], 1e-6 * (1 + std::abs(sums[i])));
}

TEST_P(Merge, L30_ThePartsOfTheKeysMakeTheWhole) {
  for (const int64_t query_len : {3, 70}) {
    for (const int64_t cut : {1, 64, 150, 300}) {
      ExpectHalvesMerge(AttentionCase({2, 4, 2, query_len, 301, 24, 20}), cut);
    }
  }
}

TEST_P(Merge, L30_HalvesWhoseLogsumexpsAreAThousandApart) {
  AttentionCase attention({1, 1, 1, 9, 120, 1, 4});
  attention.options.scale = 1;
  attention.query.Fill([] { return 1.0f; });
  for (int64_t j = 0; j < 120; ++j) {
    attention.key({0, 0, j, 0}) = j < 60 ? -500.0f : 500.0f;
  }
  ExpectHalvesMerge(attention, 60);
}

TEST_P(Merge, L30_MaskedKeysAtTheEndChangeNoBit) {
  AttentionCase attention({3, 6, 2, 50, 140, 24, 20});
  const auto padding = KeyPaddingMask({70, 70, 70});
  const ForwardResult half = OverKeys(attention, 0, 70);
  attention.options.mask = padding.get();
  const ForwardResult whole = Forward(attention);
  EXPECT_EQ(whole.out.Values(), half.out.Values());
  EXPECT_EQ(whole.logsumexp.Values(), half.logsumexp.Values());
}

TEST_P(Merge, L30_AnEmptyPartChangesNoBit) {
  AttentionCase attention({1, 3, 3, 9, 40, 8, 8}, 6);
  ForwardResult whole = OverKeys(attention, 0, 40);
  ForwardResult nothing = OverKeys(attention, 40, 40);
  for (const bool empty_first : {false, true}) {
    const ForwardResult merged = empty_first
                                     ? Merged({PartOf(nothing), PartOf(whole)})
                                     : Merged({PartOf(whole), PartOf(nothing)});
    EXPECT_EQ(merged.out.Values(), whole.out.Values());
    EXPECT_EQ(merged.logsumexp.Values(), whole.logsumexp.Values());
  }
  const ForwardResult empty = Merged({PartOf(nothing), PartOf(nothing)});
  for (const float x : empty.out.Values()) EXPECT_EQ(x, 0.0f);
  for (const float x : empty.logsumexp.Values())
    EXPECT_EQ(x, -std::numeric_limits<float>::infinity());
}

TEST(MergeAttention, L30_AThousandApartDoesNotOverflow) {
  const std::vector<float> low = {3.0f}, high = {7.0f}, bad = {INFINITY};
  const float sums[] = {-500.0f, 500.0f};
  float out = 0, logsumexp = 0;
  const auto part = [](const std::vector<float>& value, const float* sum) {
    return AttentionPart<float>{Contiguous(value.data(), {1, 1, 1, 1}),
                                Contiguous(sum, {1, 1, 1})};
  };
  const AttentionOutputs<float> merged = {Contiguous(&out, {1, 1, 1, 1}),
                                          Contiguous(&logsumexp, {1, 1, 1})};
  for (const auto& weightless : {low, bad}) {
    MergeAttention<float>(
        std::vector{part(weightless, &sums[0]), part(high, &sums[1])}, merged);
    EXPECT_EQ(out, 7.0f);
    EXPECT_EQ(logsumexp, 500.0f);
  }
}

TEST(MergeAttention, RefusesWhatDoesNotFit) {
  std::vector<float> data(12, 1.0f), out(6);
  const AttentionPart<float> part = {Contiguous(data.data(), {1, 1, 2, 3}),
                                     Contiguous(data.data(), {1, 1, 2})};
  const AttentionPart<float> other = {Contiguous(data.data(), {1, 1, 2, 2}),
                                      Contiguous(data.data(), {1, 1, 2})};
  const AttentionOutputs<float> merged = {Contiguous(out.data(), {1, 1, 2, 3}),
                                          {}};
  EXPECT_THROW(MergeAttention<float>({}, merged), std::invalid_argument);
  EXPECT_THROW(MergeAttention<float>(std::vector{part, other}, merged),
               std::invalid_argument);
  const AttentionOutputs<float> onto = {Contiguous(data.data(), {1, 1, 2, 3}),
                                        {}};
  EXPECT_THROW(MergeAttention<float>(std::vector{part, part}, onto),
               std::invalid_argument);
  MergeAttention<float>(std::vector{part}, merged);
  EXPECT_EQ(out[0], 1.0f);
}

}  // namespace
}  // namespace keylens
