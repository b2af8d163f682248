// Decoding from a cache against the oracle on the keys and values that the
// cache was given, as it stores them.

#include <gtest/gtest.h>
#include <keylens/key_value_cache.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/attention/buffer.h"
#include "tests/attention/cache_twin.h"
#include "tests/attention/element.h"
#include "tests/attention/every_element.h"

namespace keylens {
namespace {

class Cache : public OnEveryTargetAndElement {};
INSTANTIATE_TEST_SUITE_P(, Cache, EveryTargetAndElement(),
                         TargetAndElementName);

constexpr int64_t kKvHeads = 2;
constexpr int64_t kHeadDim = 19;
constexpr int64_t kValueDim = 37;

KeyValueCacheOptions Options(CacheElement element, int64_t page_len) {
  return {kKvHeads, kHeadDim, kValueDim, element, page_len};
}

void ExpectFollowsTheOracle(CacheElement element, int64_t page_len) {
  SCOPED_TRACE(::testing::Message() << "element " << static_cast<int>(element)
                                    << " page " << page_len);
  std::mt19937_64 random(7);
  CacheTwin twin(Options(element, page_len));
  const int64_t a = twin.Add(), b = twin.Add();
  twin.Append(a, 5, random);
  for (int step = 0; step < 9; ++step) twin.Append(a, 1, random);
  const int64_t c = twin.Fork(a);  // in the middle of a page
  twin.Append(c, 3, random);
  twin.Append(a, 1, random);
  twin.Append(c, 1200, random);  // several chunks
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  const auto expect = [&](const std::vector<int64_t>& sequences,
                          int64_t num_heads, int64_t query_len,
                          const Mask* mask) {
    AttentionOptions options;
    options.mask = mask;
    ExpectDecodingMatchesOracle(twin, sequences, num_heads, query_len, options,
                                random);
  };
  expect({a, c, b, c}, 4, 1, nullptr);  // b is empty
  expect({c, a}, 2, 3, causal.get());
  expect({a}, 6, 2, causal.get());
  expect({c}, 2, 61, causal.get());  // more rows than a tile
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
  CacheTwin twin(Options(CacheElement::kFloat32, 32));
  const int64_t a = twin.Add(), b = twin.Add();
  twin.Append(a, 1500, random);
  twin.Append(b, 40, random);
  Buffer<float, 4> query({2, 4, 1, kHeadDim});
  std::normal_distribution<float> normal;
  query.Fill([&] { return Rounded(normal(random)); });
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3, 7}) {
    Buffer<float, 4> out({2, 4, 1, kValueDim});
    AttentionOptions options;
    options.num_threads = threads;
    RunDecode(query.view(), twin.cache, std::vector{a, b}, options,
              {out.view(), {}});
    results.push_back(out.Values());
    EXPECT_EQ(results.back(), results.front());
  }
  Buffer<float, 4> alone({1, 4, 1, kValueDim});
  TensorView<const float, 4> first = std::as_const(query).view();
  first.shape[0] = 1;
  RunDecode(first, twin.cache, std::vector{a}, {}, {alone.view(), {}});
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
  RunAppend(cache, sequence, Contiguous(keys.data(), {1, len, 1}),
            Contiguous(values.data(), {1, len, 2}));
  const auto padding = KeyPaddingMask({len - 1});
  AttentionOptions options;
  options.mask = padding.get();
  options.scale = 1.0f;
  const float query = 1.0f;
  float out[2] = {};
  const auto decode = [&] {
    RunDecode(Contiguous(&query, {1, 1, 1, 1}), cache, std::vector{sequence},
              options, {Contiguous(out, {1, 1, 1, 2}), {}});
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
  EXPECT_NEAR(out[1], 1.0f, 1e-5 + RoundingOf(1));
}

TEST(KeyValueCacheMemory, ForksShareUntilTheyDiffer) {
  std::mt19937_64 random(1);
  CacheTwin twin(Options(CacheElement::kFloat32, 8));
  const int64_t a = twin.Add();
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

// Each element within half a scale, at both ends of float's normal numbers. The
// only key seen has the weight 1, so that what is decoded is its value.
TEST(KeyValueCacheInt8, ReadsEveryMagnitudeWithinHalfAScale) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kSmallest = std::numeric_limits<float>::min();
  KeyValueCache cache({1, 4, 4, CacheElement::kInt8, 64});
  const std::vector<int64_t> sequences = {cache.Add()};
  const auto last = SlidingWindowMask(0, 0, CausalAlignment::kBottomRight);
  AttentionOptions options;
  options.mask = last.get();
  std::vector<float> magnitudes = {kSmallest, 1.3e-38f, kLargest,
                                   0.999f * kLargest, 1.0f};
  for (float m = 2e-38f; m < 1e38f; m *= 3.7f) magnitudes.push_back(m);
  for (const float m : magnitudes) {
    const std::vector<float> row = {m, -m, 0.37f * m, -m / 300};
    const auto view = Contiguous<const float>(row.data(), {1, 1, 4});
    cache.Append<float>(sequences[0], view, view);
    const std::vector<float> query(4, 0.0f);
    std::vector<float> out(4);
    AttentionDecode<float>(Contiguous<const float>(query.data(), {1, 1, 1, 4}),
                           cache, sequences, options,
                           {Contiguous(out.data(), {1, 1, 1, 4}), {}});
    const double half = static_cast<double>(m) / 127 / 2;
    for (std::size_t c = 0; c < row.size(); ++c)
      EXPECT_NEAR(out[c], row[c], half * 1.0001) << m << ' ' << c;
  }
}

TEST(KeyValueCacheInt8, RefusesWhatIsNotFinite) {
  KeyValueCache cache({1, 2, 2, CacheElement::kInt8, 64});
  const int64_t sequence = cache.Add();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {kInfinity, -kInfinity, std::nanf("")}) {
    const std::vector<float> good = {1, 2}, row = {1, bad};
    const auto view = Contiguous<const float>(row.data(), {1, 1, 2});
    const auto fine = Contiguous<const float>(good.data(), {1, 1, 2});
    EXPECT_THROW(cache.Append<float>(sequence, view, fine),
                 std::invalid_argument);
    EXPECT_THROW(cache.Append<float>(sequence, fine, view),
                 std::invalid_argument);
  }
  EXPECT_EQ(cache.Length(sequence), 0);
}

// Below the normal numbers a scale has few bits: nothing is worse than reading
// zero, and nothing overflows.
TEST(KeyValueCacheInt8, DenormalNumbersAreZeroAtWorst) {
  KeyValueCache cache({1, 2, 2, CacheElement::kInt8, 64});
  const std::vector<int64_t> sequences = {cache.Add()};
  const auto last = SlidingWindowMask(0, 0, CausalAlignment::kBottomRight);
  AttentionOptions options;
  options.mask = last.get();
  for (float m = std::numeric_limits<float>::denorm_min(); m < 1.1e-38f;
       m *= 2.5f) {
    const std::vector<float> row = {m, -m};
    const auto view = Contiguous<const float>(row.data(), {1, 1, 2});
    cache.Append<float>(sequences[0], view, view);
    const std::vector<float> query(2, 0.0f);
    std::vector<float> out(2);
    AttentionDecode<float>(Contiguous<const float>(query.data(), {1, 1, 1, 2}),
                           cache, sequences, options,
                           {Contiguous(out.data(), {1, 1, 1, 2}), {}});
    EXPECT_LE(std::abs(out[0] - m), m) << m;
    EXPECT_EQ(out[0], -out[1]);
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
