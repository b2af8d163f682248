#include "tests/attention/fuzz_kinds.h"

#include <gtest/gtest.h>
#include <keylens/engine.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/cache_twin.h"
#include "tests/attention/closeness.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"
#include "tests/attention/packed_call.h"
#include "tests/attention/random_call.h"

namespace keylens {
namespace {

// Another number of threads changes no bit.
void ExpectSameForThreads(AttentionCase attention, int threads) {
  ForwardResult wanted = Forward(attention);
  const Gradients wanted_grad = Backward(attention, wanted);
  attention.options.num_threads = threads;
  ForwardResult actual = Forward(attention);
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  EXPECT_TRUE(SameBits(actual.logsumexp.Values(), wanted.logsumexp.Values()));
  const Gradients grad = Backward(attention, actual);
  EXPECT_TRUE(SameBits(grad.query.Values(), wanted_grad.query.Values()));
  EXPECT_TRUE(SameBits(grad.key.Values(), wanted_grad.key.Values()));
  EXPECT_TRUE(SameBits(grad.value.Values(), wanted_grad.value.Values()));
}

// Offsets of `count` sequences, some of them empty.
std::vector<int64_t> RandomOffsets(std::mt19937_64& random, int64_t count,
                                   int64_t longest) {
  std::vector<int64_t> offsets = {0};
  for (int64_t s = 0; s < count; ++s) {
    const int64_t length = OneIn(random, 6) ? 0 : 1 + Below(random, longest);
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

int64_t Longest(const std::vector<int64_t>& offsets) {
  int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    longest = std::max(longest, offsets[s + 1] - offsets[s]);
  }
  return longest;
}

KeyValueCacheOptions RandomCacheOptions(std::mt19937_64& random) {
  constexpr CacheElement kStored[] = {
      CacheElement::kFloat32, CacheElement::kBFloat16, CacheElement::kFloat16,
      CacheElement::kInt8};
  KeyValueCacheOptions options;
  options.num_kv_heads = 1 + Below(random, 3);
  options.head_dim = 1 + Below(random, 140);
  options.value_dim = 1 + Below(random, 140);
  options.element = kStored[Below(random, 4)];
  options.page_len = int64_t{1} << Below(random, 9);
  return options;
}

int64_t AnySequence(const CacheTwin& twin, std::mt19937_64& random) {
  const std::vector<int64_t> sequences = twin.Sequences();
  return sequences[random() % sequences.size()];
}

void DecodeSome(const CacheTwin& twin, std::mt19937_64& random) {
  std::vector<int64_t> batch(1 + Below(random, 3));
  int64_t longest = 0;
  for (int64_t& sequence : batch) {
    sequence = AnySequence(twin, random);
    longest = std::max(longest, twin.Length(sequence));
  }
  const int64_t heads =
      twin.cache.options().num_kv_heads * (1 + Below(random, 4));
  const int64_t query_len = 1 + Below(random, OneIn(random, 4) ? 70 : 4);
  const RandomOptions options(random, {1, heads, 1, query_len, longest, 1, 1},
                              Fits::kAnyEntry);
  ExpectDecodingMatchesOracle(twin, batch, heads, query_len, options.get(),
                              random);
}

// The keys [first, end) of a case, dense.
AttentionCase SomeKeys(const AttentionCase& attention, int64_t first,
                       int64_t end) {
  AttentionCase part = attention;
  for (auto [to, from] : {std::pair{&part.key, &attention.key},
                          std::pair{&part.value, &attention.value}}) {
    TensorView<const float, 4> view = from->view();
    view.data += first * view.strides[2];
    view.shape[2] = end - first;
    *to = Buffer<float, 4>(view.shape);
    const std::vector<float> values = Values(view);
    std::size_t i = 0;
    to->Fill([&] { return values[i++]; });
  }
  return part;
}

}  // namespace

void FuzzCall(std::mt19937_64& random) {
  const AttentionShape shape = RandomShapeOfAnyKind(random);
  const RandomOptions options(random, shape);
  AttentionCase attention = RandomCase(random, shape);
  attention.options = options.get();
  ExpectMatchesOracle(attention, 1 + Below(random, 9));
  if (!OneIn(random, 3)) return;
  ExpectSameForThreads(attention, static_cast<int>(1 + Below(random, 6)));
}

void FuzzPacked(std::mt19937_64& random) {
  const int64_t count = 1 + Below(random, 5);
  const auto queries = RandomOffsets(random, count, OneIn(random, 4) ? 150 : 9);
  const auto keys = RandomOffsets(random, count, OneIn(random, 4) ? 900 : 60);
  AttentionShape shape = RandomShape(random, 1, 40);
  PackedCall call(shape, queries, keys, random());
  shape.batch = count;
  shape.query_len = Longest(queries);
  shape.kv_len = Longest(keys);
  const RandomOptions options(random, shape, Fits::kAnyLengths);
  call.Forward(options.get());
  call.Backward(options.get());
  for (std::size_t s = 0; s < call.NumSequences(); ++s) {
    call.ExpectAsInABatch(s, options.get());
  }
}

void FuzzCache(std::mt19937_64& random) {
  CacheTwin twin(RandomCacheOptions(random));
  twin.Add();
  for (int64_t step = 0; step < 12; ++step) {
    const int64_t sequence = AnySequence(twin, random);
    const int64_t kind = Below(random, 8);
    if (kind == 0) twin.Add();
    if (kind == 1) twin.Fork(sequence);
    if (kind == 2 && twin.Sequences().size() > 1) twin.Remove(sequence);
    if (kind > 2) {
      twin.Append(sequence, Below(random, OneIn(random, 5) ? 700 : 20), random);
    }
    if (OneIn(random, 4)) DecodeSome(twin, random);
  }
}

void FuzzMerge(std::mt19937_64& random) {
  AttentionCase attention = RandomCase(random, RandomShapeOfAnyKind(random));
  const int64_t kv_len = attention.Shape().kv_len;
  std::vector<int64_t> cuts = {0, kv_len};
  for (int64_t n = Below(random, 4); n > 0; --n) {
    cuts.push_back(Below(random, kv_len + 1));
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<ForwardResult> results;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    results.push_back(Forward(SomeKeys(attention, cuts[i], cuts[i + 1])));
  }
  std::vector<AttentionPart<float>> parts;
  for (const ForwardResult& result : results) parts.push_back(result.Saved());
  ForwardResult merged = Forward(attention);
  RunMerge(parts, merged.Outputs(), static_cast<int>(Below(random, 4)));
  ExpectMergedMatchesOracle(attention, merged);
}

}  // namespace keylens
