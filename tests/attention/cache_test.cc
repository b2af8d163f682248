// Decoding from a cache against the oracle on the keys and values that the
// cache was given, as it stores them.

#include <gtest/gtest.h>
#include <keylens/key_value_cache.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/attention/reference.h"
#include "tests/attention/buffer.h"
#include "tests/attention/every_target.h"

namespace keylens {
namespace {

class Cache : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Cache, EveryTarget(), TargetName);

constexpr int64_t kKvHeads = 2;
constexpr int64_t kHeadDim = 19;
constexpr int64_t kValueDim = 37;

KeyValueCacheOptions Options(CacheElement element, int64_t page_len) {
  return {kKvHeads, kHeadDim, kValueDim, element, page_len};
}

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

// What a sequence should hold: for each token, the keys of all heads, and the
// values.
struct Tokens {
  std::vector<std::vector<float>> keys, values;

  int64_t size() const { return static_cast<int64_t>(keys.size()); }
};

// A cache, and what it should hold.
class Twin {
 public:
  Twin(CacheElement element, int64_t page_len)
      : cache(Options(element, page_len)), element_(element) {}

  void Append(int64_t sequence, int64_t n, std::mt19937_64& random) {
    Buffer<float, 3> key({kKvHeads, n, kHeadDim}, RandomLayout<3>(random));
    Buffer<float, 3> value({kKvHeads, n, kValueDim}, RandomLayout<3>(random));
    std::normal_distribution<float> normal;
    key.Fill([&] { return 2 * normal(random); });
    value.Fill([&] { return normal(random); });
    cache.Append<float>(sequence, key.view(), value.view());
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t head = 0; head < kKvHeads; ++head) {
        tokens[sequence].keys.push_back(RowOf(key, head, i));
        tokens[sequence].values.push_back(RowOf(value, head, i));
      }
    }
  }

  int64_t Fork(int64_t sequence) {
    const int64_t fork = cache.Fork(sequence);
    tokens[fork] = tokens[sequence];
    return fork;
  }

  // The oracle's keys of a sequence, [1, heads, len, dim].
  std::vector<float> Dense(const std::vector<std::vector<float>>& rows,
                           int64_t dim) const {
    const int64_t len = static_cast<int64_t>(rows.size()) / kKvHeads;
    std::vector<float> dense;
    for (int64_t head = 0; head < kKvHeads; ++head) {
      for (int64_t i = 0; i < len; ++i) {
        const std::vector<float>& row = rows[i * kKvHeads + head];
        dense.insert(dense.end(), row.begin(), row.begin() + dim);
      }
    }
    return dense;
  }

  KeyValueCache cache;
  std::map<int64_t, Tokens> tokens;

 private:
  std::vector<float> RowOf(Buffer<float, 3>& buffer, int64_t head, int64_t i) {
    std::vector<float> row;
    for (int64_t c = 0; c < buffer.view().shape[2]; ++c)
      row.push_back(buffer({head, i, c}));
    return Stored(element_, row);
  }

  CacheElement element_;
};

// Expects every row of a decoded batch to be the oracle's.
void ExpectDecoded(const Twin& twin, const std::vector<int64_t>& sequences,
                   int64_t num_heads, int64_t query_len, const Mask* mask,
                   uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto batch = static_cast<int64_t>(sequences.size());
  Buffer<float, 4> query({batch, num_heads, query_len, kHeadDim},
                         RandomLayout<4>(random));
  query.Fill([&] { return normal(random); });
  Buffer<float, 4> out({batch, num_heads, query_len, kValueDim},
                       RandomLayout<4>(random));
  Buffer<float, 3> logsumexp({batch, num_heads, query_len},
                             RandomLayout<3>(random));
  AttentionOptions options;
  options.mask = mask;
  AttentionDecode<float>(query.view(), twin.cache, sequences, options,
                         {out.view(), logsumexp.view()});
  EXPECT_TRUE(out.PaddingIsUntouched());
  for (int64_t b = 0; b < batch; ++b) {
    const Tokens& tokens = twin.tokens.at(sequences[b]);
    const int64_t len = tokens.size() / kKvHeads;
    const std::vector<float> keys = twin.Dense(tokens.keys, kHeadDim);
    const std::vector<float> values = twin.Dense(tokens.values, kValueDim);
    TensorView<const float, 4> one = std::as_const(query).view();
    one.data += b * one.strides[0];
    one.shape[0] = 1;
    const auto wanted = ReferenceForward<double, float>(
        {one, Contiguous(keys.data(), {1, kKvHeads, len, kHeadDim}),
         Contiguous(values.data(), {1, kKvHeads, len, kValueDim})},
        options);
    for (int64_t h = 0; h < num_heads; ++h) {
      for (int64_t i = 0; i < query_len; ++i) {
        const int64_t row = h * query_len + i;
        const double sum = wanted.logsumexp[row];
        if (std::isinf(sum)) {
          EXPECT_EQ(logsumexp({b, h, i}), sum);
        } else {
          EXPECT_NEAR(logsumexp({b, h, i}), sum, 2e-6 * (1 + std::abs(sum)));
        }
        for (int64_t c = 0; c < kValueDim; ++c) {
          ASSERT_NEAR(out({b, h, i, c}), wanted.out[row * kValueDim + c], 4e-6)
              << "entry " << b << " head " << h << " query " << i;
        }
      }
    }
  }
}

void ExpectFollowsTheOracle(CacheElement element, int64_t page_len) {
  SCOPED_TRACE(::testing::Message() << "element " << static_cast<int>(element)
                                    << " page " << page_len);
  std::mt19937_64 random(7);
  Twin twin(element, page_len);
  const int64_t a = twin.cache.Add(), b = twin.cache.Add();
  twin.tokens[a];
  twin.tokens[b];
  twin.Append(a, 5, random);
  for (int step = 0; step < 9; ++step) twin.Append(a, 1, random);
  const int64_t c = twin.Fork(a);  // in the middle of a page
  twin.Append(c, 3, random);
  twin.Append(a, 1, random);
  twin.Append(c, 1200, random);  // several chunks
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  ExpectDecoded(twin, {a, c, b, c}, 4, 1, nullptr, 1);  // b is empty
  ExpectDecoded(twin, {c, a}, 2, 3, causal.get(), 2);
  ExpectDecoded(twin, {a}, 6, 2, causal.get(), 3);
  ExpectDecoded(twin, {c}, 2, 61, causal.get(), 4);  // more rows than a tile
}

TEST_P(Cache, Float32) {
  for (const int64_t page_len : {1, 8, 256}) {
    ExpectFollowsTheOracle(CacheElement::kFloat32, page_len);
  }
}
TEST_P(Cache, BFloat16) { ExpectFollowsTheOracle(CacheElement::kBFloat16, 16); }
TEST_P(Cache, Float16) { ExpectFollowsTheOracle(CacheElement::kFloat16, 64); }
TEST_P(Cache, Int8) {
  ExpectFollowsTheOracle(CacheElement::kInt8, 4);
  ExpectFollowsTheOracle(CacheElement::kInt8, 64);
}

TEST_P(Cache, AnEntryHasTheSameBitsAloneAndForAnyThreads) {
  std::mt19937_64 random(3);
  Twin twin(CacheElement::kFloat32, 32);
  const int64_t a = twin.cache.Add(), b = twin.cache.Add();
  twin.Append(a, 1500, random);
  twin.Append(b, 40, random);
  Buffer<float, 4> query({2, 4, 1, kHeadDim});
  std::normal_distribution<float> normal;
  query.Fill([&] { return normal(random); });
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3, 7}) {
    Buffer<float, 4> out({2, 4, 1, kValueDim});
    AttentionOptions options;
    options.num_threads = threads;
    AttentionDecode<float>(query.view(), twin.cache, std::vector{a, b}, options,
                           {out.view(), {}});
    results.push_back(out.Values());
    EXPECT_EQ(results.back(), results.front());
  }
  Buffer<float, 4> alone({1, 4, 1, kValueDim});
  TensorView<const float, 4> first = std::as_const(query).view();
  first.shape[0] = 1;
  AttentionDecode<float>(first, twin.cache, std::vector{a}, {},
                         {alone.view(), {}});
  const std::vector<float> values = alone.Values();
  EXPECT_TRUE(
      std::equal(values.begin(), values.end(), results.front().begin()));
}

// Infinite and NaN values: nothing where the weight is 0, however it came to
// be.
TEST_P(Cache, ValuesThatAreNotFinite) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const int64_t len = 700;
  KeyValueCache cache({1, 1, 2, CacheElement::kFloat32, 64});
  const int64_t sequence = cache.Add();
  std::vector<float> keys(len, 0.0f), values(2 * len, 1.0f);
  keys[3] = -200.0f;  // weight 0 beside the others
  values[2 * 3] = kInf;
  keys[650] = 300.0f;  // all the weight, in the second chunk
  values[2 * 650] = 5.0f;
  values[2 * 10] = kNan;   // weighs, until key 650 is met
  values[2 * 699] = kNan;  // masked
  cache.Append<float>(sequence, Contiguous(keys.data(), {1, len, 1}),
                      Contiguous(values.data(), {1, len, 2}));
  const auto padding = KeyPaddingMask({len - 1});
  AttentionOptions options;
  options.mask = padding.get();
  options.scale = 1.0f;
  const float query = 1.0f;
  float out[2] = {};
  const auto decode = [&] {
    AttentionDecode<float>(Contiguous(&query, {1, 1, 1, 1}), cache,
                           std::vector{sequence}, options,
                           {Contiguous(out, {1, 1, 1, 2}), {}});
  };
  decode();
  EXPECT_EQ(out[0], 5.0f);
  EXPECT_EQ(out[1], 1.0f);
  options.scale = -1.0f;  // now key 3 has all the weight
  decode();
  EXPECT_EQ(out[0], kInf);
  EXPECT_EQ(out[1], 1.0f);
  options.scale = 0.0f;
  decode();
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_NEAR(out[1], 1.0f, 1e-5);
}

TEST(KeyValueCacheMemory, ForksShareUntilTheyDiffer) {
  std::mt19937_64 random(1);
  Twin twin(CacheElement::kFloat32, 8);
  const int64_t a = twin.cache.Add();
  twin.Append(a, 20, random);  // two pages and a half
  const int64_t page = twin.cache.MemoryBytes() / 3;
  const int64_t b = twin.Fork(a), c = twin.Fork(a);
  EXPECT_EQ(twin.cache.MemoryBytes(), 3 * page);
  twin.Append(b, 1, random);
  EXPECT_EQ(twin.cache.MemoryBytes(), 4 * page);
  twin.cache.Remove(a);
  EXPECT_EQ(twin.cache.MemoryBytes(), 4 * page);
  twin.cache.Remove(c);
  EXPECT_EQ(twin.cache.MemoryBytes(), 3 * page);
  EXPECT_EQ(twin.cache.Length(b), 21);
}

template <typename Call>
void ExpectRefused(const Call& call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "no error: " << part;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << error.what();
  }
}

TEST(KeyValueCacheErrors, NameTheFunctionAndTheShapes) {
  ExpectRefused([] { KeyValueCache({0, 1, 1}); }, "KeyValueCache: num_kv");
  ExpectRefused(
      [] {
        KeyValueCache({1, 1, 1, CacheElement::kFloat32, 48});
      },
      "page_len 48");
  KeyValueCache cache({2, 3, 0, CacheElement::kInt8, 64});
  const int64_t sequence = cache.Add();
  std::vector<float> data(100, 1.0f);
  const auto view = [&](int64_t heads, int64_t n, int64_t dim) {
    return TensorView<const float, 3>(Contiguous(data.data(), {heads, n, dim}));
  };
  ExpectRefused([&] { cache.Append<float>(9, view(2, 1, 3), view(2, 1, 3)); },
                "KeyValueCache::Append: no sequence 9");
  ExpectRefused(
      [&] { cache.Append<float>(sequence, view(2, 1, 4), view(2, 1, 3)); },
      "[2, 1, 4]");
  ExpectRefused(
      [&] { cache.Append<float>(sequence, view(2, 2, 3), view(2, 1, 3)); },
      "[2, 1, 3]");
  data[4] = std::numeric_limits<float>::infinity();
  ExpectRefused(
      [&] { cache.Append<float>(sequence, view(2, 1, 3), view(2, 1, 3)); },
      "not finite");
  EXPECT_EQ(cache.Length(sequence), 0);
  data[4] = 1.0f;
  cache.Append<float>(sequence, view(2, 1, 3), view(2, 1, 3));
  std::vector<float> out(100);
  const auto decode = [&](int64_t heads, int64_t dim,
                          std::vector<int64_t> sequences) {
    AttentionDecode<float>(
        Contiguous<const float>(data.data(), {1, heads, 1, dim}), cache,
        sequences, {}, {Contiguous(out.data(), {1, heads, 1, 3}), {}});
  };
  ExpectRefused([&] { decode(2, 4, {sequence}); }, "head_dim");
  ExpectRefused([&] { decode(3, 3, {sequence}); }, "num_kv_heads");
  ExpectRefused([&] { decode(2, 3, {sequence, sequence}); }, "2 sequences");
  ExpectRefused([&] { decode(2, 3, {7}); }, "AttentionDecode: no sequence 7");
  decode(2, 3, {sequence});
  EXPECT_EQ(out[0], 1.0f);
}

}  // namespace
}  // namespace keylens
