#include "tests/attention/packed_call.h"

#include <gtest/gtest.h>
#include <keylens/packed_sequences.h>

#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/element.h"

namespace keylens {
namespace {

// The rows of sequence s.
template <typename View>
View Rows(View view, const std::vector<int64_t>& offsets, std::size_t s) {
  view.data += offsets[s] * view.strides[2];
  view.shape[2] = offsets[s + 1] - offsets[s];
  return view;
}

// The same in each of `batch` entries.
template <typename View>
View Repeated(View view, int64_t batch) {
  view.shape[0] = batch;
  view.strides[0] = 0;
  return view;
}

template <typename View>
View Entry(View view, int64_t b) {
  view.data += b * view.strides[0];
  view.shape[0] = 1;
  return view;
}

}  // namespace

PackedCall::PackedCall(const AttentionShape& shape,
                       std::vector<int64_t> query_offsets,
                       std::vector<int64_t> key_offsets, uint64_t seed)
    : query_offsets(std::move(query_offsets)),
      key_offsets(std::move(key_offsets)),
      random(seed),
      query(
          Filled(shape.num_heads, this->query_offsets.back(), shape.head_dim)),
      key(Filled(shape.num_kv_heads, this->key_offsets.back(), shape.head_dim)),
      value(Filled(shape.num_kv_heads, this->key_offsets.back(),
                   shape.value_dim)),
      out_grad(
          Filled(shape.num_heads, this->query_offsets.back(), shape.value_dim)),
      out(out_grad.view().shape, RandomLayout<4>(random)),
      query_grad(query.view().shape, RandomLayout<4>(random)),
      key_grad(key.view().shape, RandomLayout<4>(random)),
      value_grad(value.view().shape, RandomLayout<4>(random)),
      logsumexp({1, shape.num_heads, this->query_offsets.back()},
                RandomLayout<3>(random)) {}

Buffer<float, 4> PackedCall::Filled(int64_t heads, int64_t len, int64_t dim) {
  Buffer<float, 4> buffer({1, heads, len, dim}, RandomLayout<4>(random));
  std::normal_distribution<float> normal;
  buffer.Fill([&] { return Rounded(normal(random)); });
  return buffer;
}

void PackedCall::Forward(const AttentionOptions& options) {
  RunForwardPacked(Inputs(), Offsets(), options,
                   {out.view(), logsumexp.view()});
}

void PackedCall::Backward(const AttentionOptions& options,
                          TensorView<float, 1> sinks) {
  RunBackwardPacked(Inputs(), Offsets(), options,
                    {out.view(), logsumexp.view()}, out_grad.view(),
                    {.query = query_grad.view(),
                     .key = key_grad.view(),
                     .value = value_grad.view(),
                     .sinks = sinks});
}

void PackedCall::ExpectAsInABatch(std::size_t s,
                                  const AttentionOptions& options) {
  SCOPED_TRACE(::testing::Message() << "sequence " << s);
  const auto b = static_cast<int64_t>(s);
  const auto batch = static_cast<int64_t>(NumSequences());
  const auto q = [&](auto view) { return Rows(view, query_offsets, s); };
  const auto k = [&](auto view) { return Rows(view, key_offsets, s); };
  const auto all = [&](auto view) { return Repeated(view, batch); };
  const AttentionInputs<float> given = Inputs();
  const AttentionInputs<float> inputs = {all(q(given.query)), all(k(given.key)),
                                         all(k(given.value))};
  const TensorView<const float, 4> grad =
      all(q(std::as_const(out_grad).view()));
  Buffer<float, 4> batch_out(grad.shape), batch_query_grad(inputs.query.shape),
      batch_key_grad(inputs.key.shape), batch_value_grad(inputs.value.shape);
  Buffer<float, 3> rows({batch, grad.shape[1], grad.shape[2]});
  RunForward(inputs, options, {batch_out.view(), rows.view()});
  RunBackward(inputs, options, {batch_out.view(), rows.view()}, grad,
              {batch_query_grad.view(), batch_key_grad.view(),
               batch_value_grad.view()});
  const auto expect_same = [&](auto packed, auto& buffer) {
    EXPECT_TRUE(SameBits(Values(packed), Values(Entry(buffer.view(), b))));
  };
  expect_same(q(out.view()), batch_out);
  expect_same(q(logsumexp.view()), rows);
  expect_same(q(query_grad.view()), batch_query_grad);
  expect_same(k(key_grad.view()), batch_key_grad);
  expect_same(k(value_grad.view()), batch_value_grad);
  for (const auto* result : {&out, &query_grad, &key_grad, &value_grad}) {
    EXPECT_TRUE(result->PaddingIsUntouched());
  }
}

}  // namespace keylens
