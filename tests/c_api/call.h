#ifndef KEYLENS_TESTS_C_API_CALL_H_
#define KEYLENS_TESTS_C_API_CALL_H_

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <keylens/keylens.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/attention/buffer.h"

// One call of the engine, made from C++ or from C: what comes out must have the
// same bits.

namespace keylens {

template <typename T>
constexpr keylens_element kElement =
    std::is_same_v<T, float>      ? KEYLENS_FLOAT32
    : std::is_same_v<T, BFloat16> ? KEYLENS_BFLOAT16
                                  : KEYLENS_FLOAT16;

using ElementTypes = ::testing::Types<float, BFloat16, Float16>;

template <typename T, int kRank>
keylens_tensor InC(const TensorView<T, kRank>& view) {
  keylens_tensor tensor = {};
  tensor.data = const_cast<std::remove_const_t<T>*>(view.data);
  tensor.rank = kRank;
  for (std::size_t axis = 0; axis < kRank; ++axis) {
    tensor.shape[axis] = view.shape[axis];
    tensor.strides[axis] = view.strides[axis];
  }
  return tensor;
}

// The elements, row-major, as bytes.
template <typename T, int kRank>
std::string Bytes(const Buffer<T, kRank>& buffer) {
  const std::vector<T> values = buffer.Values();
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T, int kRank>
bool SameBytes(const Buffer<T, kRank>& a, const Buffer<T, kRank>& b) {
  return Bytes(a) == Bytes(b);
}

// Whether a call succeeded; its error where it did not.
inline ::testing::AssertionResult Ok(keylens_status status) {
  if (status == KEYLENS_OK) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << keylens_last_error();
}

// Whether a call failed as it should, with exactly that text.
inline ::testing::AssertionResult FailsWith(keylens_status wanted,
                                            keylens_status status,
                                            const std::string& text) {
  if (status == wanted && text == keylens_last_error())
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "status " << status << ", error \"" << keylens_last_error()
         << "\", wanted \"" << text << "\"";
}

inline ::testing::AssertionResult Invalid(keylens_status status,
                                          const std::string& text) {
  return FailsWith(KEYLENS_INVALID_ARGUMENT, status, text);
}

struct Destroy {
  void operator()(keylens_mask* mask) const { keylens_mask_destroy(mask); }
  void operator()(keylens_score_mod* mod) const {
    keylens_score_mod_destroy(mod);
  }
  void operator()(keylens_options* options) const {
    keylens_options_destroy(options);
  }
  void operator()(keylens_key_value_cache* cache) const {
    keylens_key_value_cache_destroy(cache);
  }
};

template <typename Handle>
using Owned = std::unique_ptr<Handle, Destroy>;

inline Owned<keylens_options> NewOptions() {
  keylens_options* options = nullptr;
  EXPECT_TRUE(Ok(keylens_options_create(&options)));
  return Owned<keylens_options>(options);
}

// Options with one of them set.
template <typename Member>
AttentionOptions With(Member AttentionOptions::*member,
                      std::type_identity_t<Member> value) {
  AttentionOptions options;
  options.*member = std::move(value);
  return options;
}

// The tensors of a call of random strides, a function of the seed, and places
// for all that may come out of it.
template <typename T>
struct Call {
  static constexpr int64_t kBatch = 2, kHeads = 4, kKvHeads = 2;
  static constexpr int64_t kQueries = 61, kKeys = 300, kDim = 12, kValueDim = 7;
  static constexpr int64_t kTop = 3, kQueryGroups = 4, kKeyGroups = 5;

  explicit Call(uint64_t seed = 1)
      : random(seed),
        query(Filled({kBatch, kHeads, kQueries, kDim})),
        key(Filled({kBatch, kKvHeads, kKeys, kDim})),
        value(Filled({kBatch, kKvHeads, kKeys, kValueDim})),
        out_grad(Filled({kBatch, kHeads, kQueries, kValueDim})),
        query_group(Groups(kQueries, kQueryGroups)),
        key_group(Groups(kKeys, kKeyGroups)),
        out({kBatch, kHeads, kQueries, kValueDim}, RandomLayout<4>(random)),
        query_grad(query.view().shape, RandomLayout<4>(random)),
        key_grad(key.view().shape, RandomLayout<4>(random)),
        value_grad(value.view().shape, RandomLayout<4>(random)) {}

  AttentionInputs<T> inputs() {
    return {query.view(), key.view(), value.view()};
  }
  AttentionOutputs<T> outputs() { return {out.view(), logsumexp.view()}; }
  Inspection inspection() {
    Inspection look;
    look.query_rows = {3, 20};
    look.weights = weights.view();
    look.entropy = entropy.view();
    look.key_mass = key_mass.view();
    look.top_keys = top_keys.view();
    look.top_weights = top_weights.view();
    look.query_group = query_group;
    look.key_group = key_group;
    look.pooled = pooled.view();
    look.offset_mass = offset_mass.view();
    return look;
  }
  AttentionGradients<T> gradients() {
    return {.query = query_grad.view(),
            .key = key_grad.view(),
            .value = value_grad.view(),
            .sinks = {},
            .query_group = query_group,
            .key_group = key_group,
            .relevance = relevance.view()};
  }

  keylens_attention_inputs c_inputs() {
    return {InC(query.view()), InC(key.view()), InC(value.view())};
  }
  keylens_attention_outputs c_outputs() {
    return {InC(out.view()), InC(logsumexp.view())};
  }
  keylens_inspection c_inspection() {
    keylens_inspection look = keylens_inspection_of_nothing();
    look.first_query_row = 3;
    look.end_query_row = 20;
    look.weights = InC(weights.view());
    look.entropy = InC(entropy.view());
    look.key_mass = InC(key_mass.view());
    look.top_keys = InC(top_keys.view());
    look.top_weights = InC(top_weights.view());
    look.query_group = query_group.data();
    look.query_group_size = kQueries;
    look.key_group = key_group.data();
    look.key_group_size = kKeys;
    look.pooled = InC(pooled.view());
    look.offset_mass = InC(offset_mass.view());
    return look;
  }
  keylens_attention_gradients c_gradients() {
    keylens_attention_gradients gradients = {};
    gradients.query = InC(query_grad.view());
    gradients.key = InC(key_grad.view());
    gradients.value = InC(value_grad.view());
    gradients.query_group = query_group.data();
    gradients.query_group_size = kQueries;
    gradients.key_group = key_group.data();
    gradients.key_group_size = kKeys;
    gradients.relevance = InC(relevance.view());
    return gradients;
  }

  // Forward with all statistics and backward with relevance.
  void RunCpp(const AttentionOptions& options) {
    const Inspection look = inspection();
    AttentionForward(inputs(), options, outputs(), &look);
    AttentionBackward<T>(inputs(), options, outputs(), out_grad.view(),
                         gradients());
  }
  void RunC(const keylens_options* options) {
    const auto in = c_inputs();
    const auto to = c_outputs();
    const auto look = c_inspection();
    const auto grads = c_gradients();
    const keylens_tensor by_out = InC(out_grad.view());
    ASSERT_TRUE(
        Ok(keylens_attention_forward(kElement<T>, &in, options, &to, &look)));
    ASSERT_TRUE(Ok(keylens_attention_backward(kElement<T>, &in, options, &to,
                                              &by_out, &grads)));
  }

  // Expects that what came out of two calls is the same.
  static void ExpectSame(const Call& a, const Call& b) {
    EXPECT_TRUE(SameBytes(a.out, b.out));
    EXPECT_TRUE(SameBytes(a.logsumexp, b.logsumexp));
    EXPECT_TRUE(SameBytes(a.weights, b.weights));
    EXPECT_TRUE(SameBytes(a.entropy, b.entropy));
    EXPECT_TRUE(SameBytes(a.key_mass, b.key_mass));
    EXPECT_TRUE(SameBytes(a.top_keys, b.top_keys));
    EXPECT_TRUE(SameBytes(a.top_weights, b.top_weights));
    EXPECT_TRUE(SameBytes(a.pooled, b.pooled));
    EXPECT_TRUE(SameBytes(a.offset_mass, b.offset_mass));
    EXPECT_TRUE(SameBytes(a.query_grad, b.query_grad));
    EXPECT_TRUE(SameBytes(a.key_grad, b.key_grad));
    EXPECT_TRUE(SameBytes(a.value_grad, b.value_grad));
    EXPECT_TRUE(SameBytes(a.relevance, b.relevance));
  }

  Buffer<T, 4> Filled(const std::array<int64_t, 4>& shape) {
    Buffer<T, 4> buffer(shape, RandomLayout<4>(random));
    std::normal_distribution<float> normal;
    buffer.Fill([&] { return T(normal(random)); });
    return buffer;
  }
  // Ids from -1, which leaves out.
  std::vector<int32_t> Groups(int64_t len, int64_t groups) {
    std::vector<int32_t> ids;
    for (int64_t i = 0; i < len; ++i) {
      ids.push_back(
          static_cast<int32_t>(random() % static_cast<uint64_t>(groups + 1)) -
          1);
    }
    return ids;
  }

  std::mt19937_64 random;
  Buffer<T, 4> query, key, value, out_grad;
  std::vector<int32_t> query_group, key_group;
  Buffer<T, 4> out, query_grad, key_grad, value_grad;
  Buffer<float, 3> logsumexp{{kBatch, kHeads, kQueries}};
  Buffer<float, 4> weights{{kBatch, kHeads, 17, kKeys}};
  Buffer<float, 3> entropy{{kBatch, kHeads, kQueries}};
  Buffer<float, 3> key_mass{{kBatch, kHeads, kKeys}};
  Buffer<int64_t, 4> top_keys{{kBatch, kHeads, kQueries, kTop}};
  Buffer<float, 4> top_weights{{kBatch, kHeads, kQueries, kTop}};
  Buffer<float, 4> pooled{{kBatch, kHeads, kQueryGroups, kKeyGroups}};
  Buffer<float, 3> offset_mass{{kBatch, kHeads, kQueries + kKeys - 1}};
  Buffer<float, 4> relevance{{kBatch, kHeads, kQueryGroups, kKeyGroups}};
};

// Expects the same bits from C++ with `options` and from C with `c_options`.
inline void ExpectSameBits(const AttentionOptions& options,
                           const keylens_options* c_options) {
  Call<float> cpp, c;
  cpp.RunCpp(options);
  c.RunC(c_options);
  Call<float>::ExpectSame(cpp, c);
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_C_API_CALL_H_
