// Sequences packed end to end: each gets the bits that it gets alone.

#include <gtest/gtest.h>
#include <keylens/packed_sequences.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/attention/closeness.h"
#include "tests/attention/every_target.h"

namespace keylens {
namespace {

class Packed : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Packed, EveryTarget(), TargetName);

constexpr int64_t kHeads = 4;
constexpr int64_t kKvHeads = 2;
constexpr int64_t kDim = 12;
constexpr int64_t kValueDim = 7;

const std::vector<int64_t> kQueryOffsets = {0, 3, 3, 130, 131, 160};
const std::vector<int64_t> kKeyOffsets = {0, 5, 9, 150, 150, 1300};

// Tensors of all sequences.
struct Call {
  explicit Call(uint64_t seed)
      : random(seed),
        query(Filled(kHeads, kQueryOffsets.back(), kDim)),
        key(Filled(kKvHeads, kKeyOffsets.back(), kDim)),
        value(Filled(kKvHeads, kKeyOffsets.back(), kValueDim)),
        out_grad(Filled(kHeads, kQueryOffsets.back(), kValueDim)),
        out(Filled(kHeads, kQueryOffsets.back(), kValueDim)),
        query_grad(Filled(kHeads, kQueryOffsets.back(), kDim)),
        key_grad(Filled(kKvHeads, kKeyOffsets.back(), kDim)),
        value_grad(Filled(kKvHeads, kKeyOffsets.back(), kValueDim)),
        logsumexp({1, kHeads, kQueryOffsets.back()}) {}

  Buffer<float, 4> Filled(int64_t heads, int64_t len, int64_t dim) {
    Buffer<float, 4> buffer({1, heads, len, dim}, RandomLayout<4>(random));
    std::normal_distribution<float> normal;
    buffer.Fill([&] { return normal(random); });
    return buffer;
  }

  void Forward(const AttentionOptions& options) {
    AttentionForwardPacked<float>({query.view(), key.view(), value.view()},
                                  {kQueryOffsets, kKeyOffsets}, options,
                                  {out.view(), logsumexp.view()});
  }
  void Backward(const AttentionOptions& options,
                TensorView<float, 1> sinks = {}) {
    AttentionBackwardPacked<float>(
        {query.view(), key.view(), value.view()}, {kQueryOffsets, kKeyOffsets},
        options, {out.view(), logsumexp.view()}, out_grad.view(),
        {.query = query_grad.view(),
         .key = key_grad.view(),
         .value = value_grad.view(),
         .sinks = sinks});
  }

  std::mt19937_64 random;
  Buffer<float, 4> query, key, value, out_grad;
  Buffer<float, 4> out, query_grad, key_grad, value_grad;
  Buffer<float, 3> logsumexp;
};

template <typename View>
View Rows(View view, const std::vector<int64_t>& offsets, std::size_t s) {
  view.data += offsets[s] * view.strides[2];
  view.shape[2] = offsets[s + 1] - offsets[s];
  return view;
}

// Expects sequence `s` of `call` to be what the same rows give by themselves.
void ExpectAsAlone(Call& call, std::size_t s, const AttentionOptions& options) {
  SCOPED_TRACE(::testing::Message() << "sequence " << s);
  const auto q = [&](auto view) { return Rows(view, kQueryOffsets, s); };
  const auto k = [&](auto view) { return Rows(view, kKeyOffsets, s); };
  const AttentionInputs<float> inputs = {
      q(call.query.view()), k(call.key.view()), k(call.value.view())};
  const auto& shape = inputs.query.shape;
  Buffer<float, 4> out({1, kHeads, shape[2], kValueDim});
  Buffer<float, 3> logsumexp({1, kHeads, shape[2]});
  AttentionForward(inputs, options, {out.view(), logsumexp.view()});
  EXPECT_TRUE(SameBits(Values(q(call.out.view())), out.Values()));
  EXPECT_TRUE(SameBits(Values(q(call.logsumexp.view())), logsumexp.Values()));
  Buffer<float, 4> query_grad(shape), key_grad(inputs.key.shape),
      value_grad(inputs.value.shape);
  AttentionBackward<float>(
      inputs, options, {out.view(), logsumexp.view()}, q(call.out_grad.view()),
      {query_grad.view(), key_grad.view(), value_grad.view()});
  EXPECT_TRUE(SameBits(Values(q(call.query_grad.view())), query_grad.Values()));
  EXPECT_TRUE(SameBits(Values(k(call.key_grad.view())), key_grad.Values()));
  EXPECT_TRUE(SameBits(Values(k(call.value_grad.view())), value_grad.Values()));
}

TEST_P(Packed, EachSequenceGetsItsOwnBits) {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (const Mask* mask : {static_cast<const Mask*>(nullptr),
                           static_cast<const Mask*>(causal.get())}) {
    for (const int threads : {1, 3}) {
      AttentionOptions options;
      options.mask = mask;
      options.num_threads = threads;
      Call call(4);
      call.Forward(options);
      call.Backward(options);
      EXPECT_TRUE(call.out.PaddingIsUntouched());
      EXPECT_TRUE(call.key_grad.PaddingIsUntouched());
      for (std::size_t s = 0; s + 1 < kQueryOffsets.size(); ++s)
        ExpectAsAlone(call, s, options);
    }
  }
}

// Masks, mods and dropout know a sequence as a batch entry.
TEST_P(Packed, ASequenceIsABatchEntry) {
  const auto padding = KeyPaddingMask({2, 4, 100, 0, 7});
  AttentionOptions options;
  options.mask = padding.get();
  options.dropout = {0.25f, 3};
  Call call(5);
  call.Forward(options);
  // Sequence 4, as batch entry 4 of a batch of which nothing else is looked at.
  const int64_t queries = kQueryOffsets[5] - kQueryOffsets[4];
  const auto stretched = [](auto view, const auto& offsets) {
    auto rows = Rows(view, offsets, 4);
    rows.shape[0] = 5;
    rows.strides[0] = 0;
    return rows;
  };
  Buffer<float, 4> out({5, kHeads, queries, kValueDim});
  AttentionForward<float>(
      {stretched(std::as_const(call.query).view(), kQueryOffsets),
       stretched(std::as_const(call.key).view(), kKeyOffsets),
       stretched(std::as_const(call.value).view(), kKeyOffsets)},
      options, {out.view(), {}});
  TensorView<float, 4> last = out.view();
  last.data += 4 * last.strides[0];
  last.shape[0] = 1;
  EXPECT_TRUE(
      SameBits(Values(Rows(call.out.view(), kQueryOffsets, 4)), Values(last)));
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
  Call call(6);
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

TEST(PackedErrors, NameTheOffsets) {
  Call call(1);
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
