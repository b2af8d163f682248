#ifndef KEYLENS_ATTENTION_H_
#define KEYLENS_ATTENTION_H_

#include <keylens/dropout.h>
#include <keylens/inspection.h>
#include <keylens/mask.h>
#include <keylens/score_mod.h>
#include <keylens/small_float.h>
#include <keylens/tensor_view.h>

#include <optional>
#include <span>
#include <type_traits>
#include <vector>

// Scaled dot-product attention, exact, without the query x key matrix:
//
//   scores  = scale * query key^T, changed by the score mods in order;
//             -inf where masked
//   weights = softmax(scores) along the keys;
//             all 0 for a query with no live key
//   out     = weights value
//
// Head h of the query reads head h / (num_heads / num_kv_heads) of key and
// value. The functions are instantiated for T = float, BFloat16 and Float16;
// the arithmetic is float's for all of them. They keep no state, may be called
// from several threads at once, and give the same bits for any number of
// threads and whatever else is in the batch.
//
// Errors: std::invalid_argument, starting with the function's name and quoting
// the shapes, before any work and with no output touched: shapes that disagree,
// num_heads no multiple of num_kv_heads, a null `data` where elements are
// required, an output that overlaps an input or another output (or itself,
// through a stride of 0), a NaN scale, a negative num_threads, a mask or score
// mod that does not fit, sinks that are not one for each head, or NaN or +inf,
// a dropout probability outside [0, 1).

namespace keylens {

template <typename T>
struct AttentionInputs {
  TensorView<const T, 4> query;  // [batch, num_heads, query_len, head_dim]
  TensorView<const T, 4> key;    // [batch, num_kv_heads, kv_len, head_dim]
  TensorView<const T, 4> value;  // [batch, num_kv_heads, kv_len, value_dim]
};

template <typename T>
struct AttentionOutputs {
  TensorView<T, 4> out;  // [batch, num_heads, query_len, value_dim]

  // [batch, num_heads, query_len]: ln of the sum of exp(scores); -inf for a
  // query with no live key. Null data: not wanted.
  TensorView<float, 3> logsumexp;
};

template <typename T>
struct AttentionGradients {
  // The shape of the input of the same name; overwritten, not added to.
  TensorView<T, 4> query = {};
  TensorView<T, 4> key = {};
  TensorView<T, 4> value = {};

  TensorView<float, 1> sinks = {};  // [num_heads]: by AttentionOptions::sinks

  // [batch, num_heads, query groups, key groups]: the positive part of each
  // weight times the gradient of the loss by it, summed over groups of queries
  // and keys as Inspection::pooled is; what maps of relevance are made of
  // (Chefer, Gur, Wolf: Transformer interpretability beyond attention
  // visualization).
  std::span<const int32_t> query_group = {};
  std::span<const int32_t> key_group = {};
  TensorView<float, 4> relevance = {};
};

struct AttentionOptions {
  std::optional<float> scale;  // default 1/sqrt(head_dim)
  const Mask* mask = nullptr;  // not owned; null: every key is live
  std::vector<const ScoreMod*>
      score_mods;  // not owned; applied in order, before the mask

  // For each head one more logit, which takes its share of the weight and
  // gives no value (attention sinks); -inf takes none. It is part of logsumexp.
  // A row without a live key then has logsumexp = its sink. Empty: none.
  std::span<const float> sinks = {};

  // With dropout there are no statistics: inspect without it.
  Dropout dropout = {};

  // 0: all, that is as many as OpenMP gives or, in a build without OpenMP, one
  // for each core that the process may use.
  int num_threads = 0;
};

// Writes outputs.out and, where asked for, outputs.logsumexp. Statistics in
// `inspection` (null: none) come out of the same pass and do not change one bit
// of the outputs.
template <typename T>
void AttentionForward(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options,
                      const AttentionOutputs<T>& outputs,
                      const Inspection* inspection = nullptr);

// Writes the gradients of a loss by query, key and value, given out_grad, its
// gradient by `out` [batch, num_heads, query_len, value_dim]. `forward` holds
// what AttentionForward wrote for the same inputs and options, logsumexp
// included. A gradient whose data is null is not wanted.
template <typename T>
void AttentionBackward(const AttentionInputs<T>& inputs,
                       const AttentionOptions& options,
                       const AttentionOutputs<T>& forward,
                       std::type_identity_t<TensorView<const T, 4>> out_grad,
                       const AttentionGradients<T>& gradients);

// The statistics alone, from the logsumexp [batch, num_heads, query_len] of an
// earlier AttentionForward with the same inputs and options. inputs.value is
// not read and may have null data.
template <typename T>
void AttentionInspect(
    const AttentionInputs<T>& inputs, const AttentionOptions& options,
    std::type_identity_t<TensorView<const float, 3>> logsumexp,
    const Inspection& inspection);

// What AttentionForward wrote for some of the keys.
template <typename T>
struct AttentionPart {
  TensorView<const T, 4> out;
  TensorView<const float, 3> logsumexp;
};

// The outputs of attention over all keys, from those over disjoint sets of
// them:
//
//   logsumexp = ln(sum over parts of exp(logsumexp_i))
//   out       = sum over parts of exp(logsumexp_i - logsumexp) out_i
//
// Exact but for rounding; a part without a live key changes no bit of the
// others. At least one part; the outputs may not overlap them.
template <typename T>
void MergeAttention(
    std::type_identity_t<std::span<const AttentionPart<T>>> parts,
    const AttentionOutputs<T>& merged, int num_threads = 0);

}  // namespace keylens

#endif  // KEYLENS_ATTENTION_H_
