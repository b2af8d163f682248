// Calls with 16-bit elements against the same calls with the same numbers as
// floats: since the arithmetic is the same, every result must be the float
// call's, rounded once, bit for bit.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/buffer.h"
#include "tests/attention/every_target.h"

namespace keylens {
namespace {

class ElementType : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, ElementType, EveryTarget(), TargetName);

// A tensor of T in any layout, and the same numbers as dense floats.
template <typename T>
struct Twin {
  Twin(const std::array<int64_t, 4>& shape, const Layout<4>& layout,
       uint64_t seed)
      : narrow(shape, layout), wide(shape) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    narrow.Fill([&] { return T(normal(random)); });
    CopyToWide();
  }

  void CopyToWide() {
    ForEachIndex<4>(narrow.view().shape, [&](const auto& index) {
      wide(index) = static_cast<float>(narrow(index));
    });
  }

  // Expects the narrow tensor to be the wide one, rounded.
  void ExpectRounded(const char* name) {
    int64_t differences = 0;
    ForEachIndex<4>(narrow.view().shape, [&](const auto& index) {
      differences += narrow(index).bits != T(wide(index)).bits ? 1 : 0;
    });
    EXPECT_EQ(differences, 0) << name;
    EXPECT_TRUE(narrow.PaddingIsUntouched()) << name;
  }

  Buffer<T, 4> narrow;
  Buffer<float, 4> wide;
};

void ExpectSameBits(const std::vector<float>& a, const std::vector<float>& b,
                    const char* name) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0)
      << name;
}

// All statistics of a call of that shape.
Statistics Room(const AttentionShape& shape) {
  return Statistics(AttentionCase(shape), 3);
}

void ExpectSameStatistics(const Statistics& a, const Statistics& b) {
  ExpectSameBits(a.weights.Values(), b.weights.Values(), "weights");
  ExpectSameBits(a.entropy.Values(), b.entropy.Values(), "entropy");
  ExpectSameBits(a.key_mass.Values(), b.key_mass.Values(), "key_mass");
  ExpectSameBits(a.offset_mass.Values(), b.offset_mass.Values(), "offset_mass");
  ExpectSameBits(a.top_weights.Values(), b.top_weights.Values(), "top_weights");
  ExpectSameBits(a.pooled.Values(), b.pooled.Values(), "pooled");
  EXPECT_EQ(a.top_keys.Values(), b.top_keys.Values());
}

template <typename T>
void ExpectRoundedFloatCall(const AttentionShape& s, uint64_t seed,
                            bool strange_layouts,
                            const AttentionOptions& options) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const auto make = [&](int64_t heads, int64_t len, int64_t dim) {
    const auto layout = strange_layouts ? RandomLayout<4>(random) : Layout<4>();
    return Twin<T>({s.batch, heads, len, dim}, layout, random());
  };
  auto query = make(s.num_heads, s.query_len, s.head_dim);
  auto key = make(s.num_kv_heads, s.kv_len, s.head_dim);
  auto value = make(s.num_kv_heads, s.kv_len, s.value_dim);
  auto out_grad = make(s.num_heads, s.query_len, s.value_dim);
  auto out = make(s.num_heads, s.query_len, s.value_dim);
  Buffer<float, 3> narrow_rows({s.batch, s.num_heads, s.query_len}),
      wide_rows({s.batch, s.num_heads, s.query_len});
  Statistics narrow_statistics = Room(s), wide_statistics = Room(s);

  const AttentionInputs<T> narrow = {query.narrow.view(), key.narrow.view(),
                                     value.narrow.view()};
  const AttentionInputs<float> wide = {query.wide.view(), key.wide.view(),
                                       value.wide.view()};
  const Inspection narrow_inspection = narrow_statistics.View();
  const Inspection wide_inspection = wide_statistics.View();
  AttentionForward(narrow, options, {out.narrow.view(), narrow_rows.view()},
                   &narrow_inspection);
  AttentionForward(wide, options, {out.wide.view(), wide_rows.view()},
                   &wide_inspection);
  out.ExpectRounded("out");
  ExpectSameBits(narrow_rows.Values(), wide_rows.Values(), "logsumexp");
  ExpectSameStatistics(narrow_statistics, wide_statistics);

  out.CopyToWide();  // both backward passes read the same outputs
  auto query_grad = make(s.num_heads, s.query_len, s.head_dim);
  auto key_grad = make(s.num_kv_heads, s.kv_len, s.head_dim);
  auto value_grad = make(s.num_kv_heads, s.kv_len, s.value_dim);
  AttentionBackward<T>(narrow, options, {out.narrow.view(), narrow_rows.view()},
                       TensorView<const T, 4>(out_grad.narrow.view()),
                       {query_grad.narrow.view(), key_grad.narrow.view(),
                        value_grad.narrow.view()});
  AttentionBackward<float>(
      wide, options, {out.wide.view(), wide_rows.view()},
      TensorView<const float, 4>(out_grad.wide.view()),
      {query_grad.wide.view(), key_grad.wide.view(), value_grad.wide.view()});
  query_grad.ExpectRounded("gradient of query");
  key_grad.ExpectRounded("gradient of key");
  value_grad.ExpectRounded("gradient of value");
}

template <typename T>
void ExpectRoundedFloatCalls() {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    AttentionOptions options;
    if (seed % 2 == 0) options.mask = causal.get();
    options.num_threads = static_cast<int>(seed % 3);
    ExpectRoundedFloatCall<T>(RandomShape(random, 70, 70), seed, seed % 3 != 0,
                              options);
  }
  // Several spans of keys, several stretches of the backward pass.
  ExpectRoundedFloatCall<T>({1, 2, 1, 53, 2500, 40, 24}, 13, false, {});
  ExpectRoundedFloatCall<T>({1, 2, 1, 53, 2500, 40, 24}, 14, true, {});
}

TEST_P(ElementType, BFloat16IsTheFloatCallRounded) {
  ExpectRoundedFloatCalls<BFloat16>();
}

TEST_P(ElementType, Float16IsTheFloatCallRounded) {
  ExpectRoundedFloatCalls<Float16>();
}

// Expects T(x) to be a neighbour of x, the nearer one, or the even one where
// both are as near.
template <typename T>
void ExpectNearest(float x) {
  const T rounded(x);
  const double error =
      std::abs(static_cast<double>(static_cast<float>(rounded)) - x);
  for (const int step : {-1, 1}) {
    T other;
    other.bits = static_cast<uint16_t>(rounded.bits + step);
    const auto value = static_cast<double>(static_cast<float>(other));
    if (!std::isfinite(value) || (other.bits ^ rounded.bits) >> 15 != 0)
      continue;
    const double other_error = std::abs(value - x);
    ASSERT_LE(error, other_error) << x;
    if (error == other_error) {
      ASSERT_EQ(rounded.bits % 2, 0) << x;
    }
  }
}

template <typename T>
void ExpectExactThereAndNearestBack(float largest) {
  std::mt19937 random(1);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    T narrow;
    narrow.bits = static_cast<uint16_t>(bits);
    const float wide = static_cast<float>(narrow);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(T(wide))));
      continue;
    }
    ASSERT_EQ(T(wide).bits, bits);
    const float above = std::nextafter(wide, INFINITY);
    for (const float x :
         {above, wide * 1.0003f, wide * 1.001953125f,
          std::bit_cast<float>(static_cast<uint32_t>(
              std::bit_cast<uint32_t>(wide) + random() % 65536))}) {
      if (std::isfinite(x) && std::abs(x) < largest) ExpectNearest<T>(x);
    }
  }
}

TEST(SmallFloat, EveryBFloat16IsExactAndRoundingIsToNearest) {
  ExpectExactThereAndNearestBack<BFloat16>(3.3895e38f);
  EXPECT_EQ(BFloat16(3.4028235e38f).bits, 0x7f80);  // rounds up to infinity
}

TEST(SmallFloat, EveryFloat16IsExactAndRoundingIsToNearest) {
  ExpectExactThereAndNearestBack<Float16>(65504.0f);
  EXPECT_EQ(Float16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(Float16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Float16(-1e30f).bits, 0xfc00);
  EXPECT_EQ(Float16(0x1p-25f).bits, 0);  // a tie, to even
  EXPECT_EQ(Float16(0x1.8p-25f).bits, 1);
  EXPECT_EQ(Float16(-0.0f).bits, 0x8000);
}

}  // namespace
}  // namespace keylens
