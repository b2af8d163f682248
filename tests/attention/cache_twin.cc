#include "tests/attention/cache_twin.h"

#include <gtest/gtest.h>
#include <keylens/key_value_cache.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

float Int8Rounded(float x, float largest) {
  if (largest == 0.0f) return 0.0f;
  return static_cast<float>(std::lrint(x * (127.0f / largest))) *
         (largest / 127.0f);
}

// One key or value as the cache stores it.
std::vector<float> Stored(CacheElement element, std::vector<float> row) {
  float largest = 0.0f;
  for (const float x : row) largest = std::max(largest, std::abs(x));
  for (float& x : row) {
    if (element == CacheElement::kBFloat16) x = static_cast<float>(BFloat16(x));
    if (element == CacheElement::kFloat16) x = static_cast<float>(Float16(x));
    if (element == CacheElement::kInt8) x = Int8Rounded(x, largest);
  }
  return row;
}

std::vector<float> StoredRow(CacheElement element, Buffer<float, 3>& buffer,
                             int64_t head, int64_t i) {
  std::vector<float> row;
  for (int64_t c = 0; c < buffer.view().shape[2]; ++c)
    row.push_back(buffer({head, i, c}));
  return Stored(element, row);
}

// Entry b of a batch, as a batch of one.
template <typename View>
View Entry(View view, int64_t b) {
  view.data += b * view.strides[0];
  view.shape[0] = 1;
  return view;
}

}  // namespace

int64_t CacheTwin::Add() {
  const int64_t sequence = cache.Add();
  tokens_[sequence];
  return sequence;
}

int64_t CacheTwin::Fork(int64_t sequence) {
  const int64_t fork = cache.Fork(sequence);
  tokens_[fork] = tokens_.at(sequence);
  return fork;
}

void CacheTwin::Remove(int64_t sequence) {
  cache.Remove(sequence);
  tokens_.erase(sequence);
}

void CacheTwin::Append(int64_t sequence, int64_t n, std::mt19937_64& random) {
  const KeyValueCacheOptions& options = cache.options();
  Buffer<float, 3> key({options.num_kv_heads, n, options.head_dim},
                       RandomLayout<3>(random));
  Buffer<float, 3> value({options.num_kv_heads, n, options.value_dim},
                         RandomLayout<3>(random));
  std::normal_distribution<float> normal;
  key.Fill([&] { return Rounded(2 * normal(random)); });
  value.Fill([&] { return Rounded(normal(random)); });
  RunAppend(cache, sequence, key.view(), value.view());
  Tokens& tokens = tokens_.at(sequence);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t head = 0; head < options.num_kv_heads; ++head) {
      tokens.keys.push_back(StoredRow(options.element, key, head, i));
      tokens.values.push_back(StoredRow(options.element, value, head, i));
    }
  }
}

std::vector<int64_t> CacheTwin::Sequences() const {
  std::vector<int64_t> sequences;
  for (const auto& [sequence, tokens] : tokens_) sequences.push_back(sequence);
  return sequences;
}

int64_t CacheTwin::Length(int64_t sequence) const {
  return static_cast<int64_t>(tokens_.at(sequence).keys.size()) /
         cache.options().num_kv_heads;
}

std::vector<float> CacheTwin::Keys(int64_t sequence) const {
  return Dense(tokens_.at(sequence).keys);
}
std::vector<float> CacheTwin::Values(int64_t sequence) const {
  return Dense(tokens_.at(sequence).values);
}

std::vector<float> CacheTwin::Dense(const Rows& rows) const {
  const auto heads = static_cast<std::size_t>(cache.options().num_kv_heads);
  std::vector<float> dense;
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = head; i < rows.size(); i += heads) {
      dense.insert(dense.end(), rows[i].begin(), rows[i].end());
    }
  }
  return dense;
}

void ExpectDecodingMatchesOracle(const CacheTwin& twin,
                                 const std::vector<int64_t>& sequences,
                                 int64_t num_heads, int64_t query_len,
                                 const AttentionOptions& options,
                                 std::mt19937_64& random) {
  const auto& [heads, dim, value_dim, element, page_len] = twin.cache.options();
  const auto batch = static_cast<int64_t>(sequences.size());
  Buffer<float, 4> query({batch, num_heads, query_len, dim},
                         RandomLayout<4>(random));
  std::normal_distribution<float> normal;
  query.Fill([&] { return Rounded(normal(random)); });
  Buffer<float, 4> out({batch, num_heads, query_len, value_dim},
                       RandomLayout<4>(random));
  Buffer<float, 3> logsumexp({batch, num_heads, query_len},
                             RandomLayout<3>(random));
  RunDecode(query.view(), twin.cache, sequences, options,
            {out.view(), logsumexp.view()});
  EXPECT_TRUE(out.PaddingIsUntouched());
  EXPECT_TRUE(logsumexp.PaddingIsUntouched());
  for (int64_t b = 0; b < batch; ++b) {
    SCOPED_TRACE(::testing::Message() << "entry " << b << " of " << batch);
    const int64_t len = twin.Length(sequences[b]);
    const std::vector<float> keys = twin.Keys(sequences[b]);
    const std::vector<float> values = twin.Values(sequences[b]);
    ExpectOutputsMatchOracle(
        {Entry(std::as_const(query).view(), b),
         Contiguous(keys.data(), {1, heads, len, dim}),
         Contiguous(values.data(), {1, heads, len, value_dim})},
        options, Values(Entry(out.view(), b)),
        Values(Entry(logsumexp.view(), b)));
  }
}

}  // namespace keylens
