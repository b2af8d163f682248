#include "tests/attention/attention_case.h"

#include <keylens/attention.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/buffer.h"
#include "tests/attention/element.h"

namespace keylens {
namespace {

constexpr int kQueryGroups = 3;
constexpr int kKeyGroups = 5;

std::vector<int32_t> Groups(int64_t length, int groups) {
  std::vector<int32_t> ids(length);
  for (int64_t i = 0; i < length; ++i) {
    ids[i] = static_cast<int32_t>((i * 7 + i / 4) % (groups + 1)) - 1;
  }
  return ids;
}

int64_t Between(std::mt19937_64& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

}  // namespace

AttentionCase::AttentionCase(const AttentionShape& shape, uint64_t seed)
    : AttentionCase(shape, seed, {}, {}, {}) {}

AttentionCase AttentionCase::InStrangeLayouts(const AttentionShape& shape,
                                              uint64_t seed) {
  std::mt19937_64 random(seed);
  std::array<Layout<4>, 4> inputs;
  for (Layout<4>& layout : inputs) layout = RandomLayout<4>(random);
  const auto out_layout = RandomLayout<4>(random);
  return AttentionCase(shape, seed, inputs, out_layout,
                       RandomLayout<3>(random));
}

AttentionCase::AttentionCase(const AttentionShape& shape, uint64_t seed,
                             const std::array<Layout<4>, 4>& inputs,
                             const Layout<4>& out_layout,
                             const Layout<3>& row_layout)
    : query({shape.batch, shape.num_heads, shape.query_len, shape.head_dim},
            inputs[0]),
      key({shape.batch, shape.num_kv_heads, shape.kv_len, shape.head_dim},
          inputs[1]),
      value({shape.batch, shape.num_kv_heads, shape.kv_len, shape.value_dim},
            inputs[2]),
      out_grad({shape.batch, shape.num_heads, shape.query_len, shape.value_dim},
               inputs[3]),
      out_layout(out_layout),
      row_layout(row_layout) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  for (Buffer<float, 4>* tensor : {&query, &key, &value, &out_grad}) {
    tensor->Fill([&] { return Rounded(normal(random)); });
  }
}

AttentionCase AttentionCase::RoundedAgain() const {
  AttentionCase rounded = *this;
  for (Buffer<float, 4>* tensor :
       {&rounded.query, &rounded.key, &rounded.value, &rounded.out_grad}) {
    ForEachIndex<4>(tensor->view().shape, [&](const auto& index) {
      (*tensor)(index) = Rounded((*tensor)(index));
    });
  }
  return rounded;
}

AttentionInputs<float> AttentionCase::Inputs() const {
  return {query.view(), key.view(), value.view()};
}

Statistics::Statistics(const AttentionCase& attention, int64_t k)
    : query_group(Groups(attention.Shape().query_len, kQueryGroups)),
      key_group(Groups(attention.Shape().kv_len, kKeyGroups)),
      weights({attention.Shape().batch, attention.Shape().num_heads,
               attention.Shape().query_len, attention.Shape().kv_len},
              attention.out_layout),
      entropy({attention.Shape().batch, attention.Shape().num_heads,
               attention.Shape().query_len},
              attention.row_layout),
      key_mass({attention.Shape().batch, attention.Shape().num_heads,
                attention.Shape().kv_len},
               attention.row_layout),
      top_keys({attention.Shape().batch, attention.Shape().num_heads,
                attention.Shape().query_len, k},
               attention.out_layout),
      top_weights({attention.Shape().batch, attention.Shape().num_heads,
                   attention.Shape().query_len, k},
                  attention.out_layout),
      pooled({attention.Shape().batch, attention.Shape().num_heads,
              kQueryGroups, kKeyGroups},
             attention.out_layout),
      offset_mass({attention.Shape().batch, attention.Shape().num_heads,
                   std::max<int64_t>(0, attention.Shape().query_len +
                                            attention.Shape().kv_len - 1)},
                  attention.row_layout) {}

Inspection Statistics::View() {
  Inspection inspection;
  inspection.weights = weights.view();
  inspection.entropy = entropy.view();
  inspection.key_mass = key_mass.view();
  inspection.top_keys = top_keys.view();
  inspection.top_weights = top_weights.view();
  inspection.query_group = query_group;
  inspection.key_group = key_group;
  inspection.pooled = pooled.view();
  inspection.offset_mass = offset_mass.view();
  return inspection;
}

ForwardResult Forward(const AttentionCase& attention,
                      const Inspection* inspection) {
  const AttentionShape shape = attention.Shape();
  ForwardResult result{
      Buffer<float, 4>(
          {shape.batch, shape.num_heads, shape.query_len, shape.value_dim},
          attention.out_layout),
      Buffer<float, 3>({shape.batch, shape.num_heads, shape.query_len},
                       attention.row_layout)};
  RunForward(attention.Inputs(), attention.options, result.Outputs(),
             inspection);
  return result;
}

Gradients Backward(const AttentionCase& attention, ForwardResult& forward) {
  Gradients gradients{
      Buffer<float, 4>(attention.query.view().shape, attention.out_layout),
      Buffer<float, 4>(attention.key.view().shape, attention.out_layout),
      Buffer<float, 4>(attention.value.view().shape, attention.out_layout)};
  RunBackward(attention.Inputs(), attention.options, forward.Outputs(),
              attention.out_grad.view(), gradients.Views());
  return gradients;
}

void Learn(AttentionCase attention, const std::vector<const ScoreMod*>& mods) {
  attention.options.score_mods = mods;
  ForwardResult forward = Forward(attention);
  Backward(attention, forward);
}

void Inspect(const AttentionCase& attention, const ForwardResult& forward,
             const Inspection& inspection) {
  RunInspect(attention.Inputs(), attention.options, forward.logsumexp.view(),
             inspection);
}

AttentionShape RandomShape(std::mt19937_64& random, int64_t longest,
                           int64_t widest) {
  AttentionShape shape;
  shape.batch = Between(random, 1, 2);
  shape.num_kv_heads = Between(random, 1, 3);
  shape.num_heads = shape.num_kv_heads * Between(random, 1, 3);
  shape.query_len = Between(random, 1, longest);
  shape.kv_len = Between(random, 1, longest);
  shape.head_dim = Between(random, 1, widest);
  shape.value_dim = Between(random, 1, widest);
  if (shape.query_len == shape.num_heads) ++shape.query_len;
  if (shape.value_dim == shape.head_dim) ++shape.value_dim;
  return shape;
}

}  // namespace keylens
