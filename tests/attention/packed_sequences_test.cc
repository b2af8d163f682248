// Sequences packed end to end: each gets the bits that it gets alone.

#include <gtest/gtest.h>
#include <keylens/packed_sequences.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/attention/element.h"
#include "tests/attention/every_target.h"
#include "tests/attention/packed_call.h"

namespace keylens {
namespace {

class Packed : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Packed, EveryTarget(), TargetName);

constexpr AttentionShape kShape = {1, 4, 2, 0, 0, 12, 7};
constexpr int64_t kHeads = kShape.num_heads;

const std::vector<int64_t> kQueryOffsets = {0, 3, 3, 130, 131, 160};
const std::vector<int64_t> kKeyOffsets = {0, 5, 9, 150, 150, 1300};

PackedCall Call(uint64_t seed) {
  return {kShape, kQueryOffsets, kKeyOffsets, seed};
}

void ExpectEachAsInABatch(const AttentionOptions& options) {
  for (const Element element : kElements) {
    SCOPED_TRACE(ElementName(element));
    const ChosenElement chosen(element);
    PackedCall call = Call(4);
    call.Forward(options);
    call.Backward(options);
    for (std::size_t s = 0; s < call.NumSequences(); ++s) {
      call.ExpectAsInABatch(s, options);
    }
  }
}

TEST_P(Packed, EachSequenceGetsItsOwnBits) {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (const Mask* mask : {static_cast<const Mask*>(nullptr),
                           static_cast<const Mask*>(causal.get())}) {
    for (const int threads : {1, 3}) {
      AttentionOptions options;
      options.mask = mask;
      options.num_threads = threads;
      ExpectEachAsInABatch(options);
    }
  }
}

// Masks, mods and dropout know a sequence as a batch entry.
TEST_P(Packed, ASequenceIsABatchEntry) {
  const auto padding = KeyPaddingMask({2, 4, 100, 0, 7});
  AttentionOptions options;
  options.mask = padding.get();
  options.dropout = {0.25f, 3};
  ExpectEachAsInABatch(options);
}

TEST_P(Packed, SinksAndBiasesAddUpOverAllSequences) {
  const std::vector<float> sinks = {0.5f, 1.0f, -1.0f, 0.0f};
  Buffer<float, 4> bias({1, kHeads, 1, 1}), all({1, kHeads, 1, 1}),
      one({1, kHeads, 1, 1});
  bias.Fill([] { return 0.5f; });
  AttentionOptions options;
  options.sinks = sinks;
  const auto mod = AdditiveBias(bias.view(), all.view());
  options.score_mods = {mod.get()};
  PackedCall call = Call(6);
  call.Forward(options);
  std::vector<float> sink_grad(kHeads);
  call.Backward(options, Contiguous(sink_grad.data(), {kHeads}));
  // A bias on every key of a head is a sink turned round.
  for (int64_t head = 0; head < kHeads; ++head) {
    EXPECT_NEAR(all({0, head, 0, 0}), -sink_grad[head],
                1e-4 * (1 + std::abs(sink_grad[head])));
    EXPECT_NE(sink_grad[head], 0.0f);
  }
}

// What a mod learns is summed over the sequences, however many run at once.
TEST_P(Packed, SlopesLearnFromAllSequences) {
  std::vector<float> sums(kHeads, 0.0f);
  for (const int threads : {1, 3}) {
    std::vector<float> gradient(kHeads);
    const auto alibi =
        AlibiBias(AlibiSlopes(kHeads), Contiguous(gradient.data(), {kHeads}));
    AttentionOptions options;
    options.score_mods = {alibi.get()};
    options.num_threads = threads;
    PackedCall call = Call(7);
    call.Forward(options);
    call.Backward(options);
    if (threads == 1) {
      sums = gradient;
      continue;
    }
    EXPECT_EQ(gradient, sums);
    std::vector<double> one_by_one(kHeads, 0.0);
    for (std::size_t s = 0; s < call.NumSequences(); ++s) {
      call.ExpectAsInABatch(s, options);  // the sequence once for each entry
      for (int64_t h = 0; h < kHeads; ++h) {
        one_by_one[h] += gradient[h] / static_cast<double>(call.NumSequences());
      }
    }
    for (int64_t h = 0; h < kHeads; ++h) {
      EXPECT_NEAR(sums[h], one_by_one[h], 1e-4 * (1 + std::abs(one_by_one[h])));
      EXPECT_NE(sums[h], 0.0f);
    }
  }
}

TEST(PackedErrors, NameTheOffsets) {
  PackedCall call = Call(1);
  const auto refuse = [&](const std::vector<int64_t>& query,
                          const std::vector<int64_t>& key,
                          const std::string& part) {
    try {
      AttentionForwardPacked<float>(
          {call.query.view(), call.key.view(), call.value.view()}, {query, key},
          {}, {call.out.view(), {}});
      ADD_FAILURE() << part;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << error.what();
    }
  };
  refuse({0, 160}, {0, 1, 1300}, "2 query offsets and 3 key offsets");
  refuse({}, {}, "query offsets must run from 0 to 160");
  refuse({0, 100, 90, 160}, {0, 1, 2, 1300}, "query offset 2");
  refuse({0, 160}, {0, 1299}, "key offsets must run from 0 to 1300");
}

}  // namespace
}  // namespace keylens
