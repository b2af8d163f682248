#ifndef KEYLENS_NN_ATTENTION_H_
#define KEYLENS_NN_ATTENTION_H_

#include <keylens/mask.h>
#include <keylens/score_mod.h>
#include <torch/torch.h>

#include <memory>
#include <optional>
#include <vector>

namespace keylens::nn {

// What a call is asked to report about its weights, and the answers. An answer
// that was not asked for stays undefined. Answers carry no gradient. Asking
// changes no bit of the output.
struct AttentionReport {
  bool want_weights = false;
  bool want_entropy = false;
  bool want_key_mass = false;
  int64_t want_top_keys = 0;  // how many keys for each query

  torch::Tensor weights;   // [batch, heads, query_len, kv_len]
  torch::Tensor entropy;   // [batch, heads, query_len], nats
  torch::Tensor key_mass;  // [batch, heads, kv_len]: the sum of the weights
                           // over the queries
  torch::Tensor top_keys;  // [batch, heads, query_len, want_top_keys], int64;
                           // -1 where fewer keys are live
  torch::Tensor top_weights;  // the same shape, descending
};

// Sequences of different lengths that lie end to end in a batch of one, as
// keylens/packed_sequences.h has them: sequence s has the queries [query[s],
// query[s + 1]) and the keys [key[s], key[s + 1]).
struct PackedOffsets {
  std::vector<int64_t> query, key;
};

struct AttentionFuncOptions {
  std::optional<double> scale;  // default 1/sqrt(head_dim)

  // Queries see the keys of their own sequence alone; there is no report then.
  // Null: what lies in a batch are its entries.
  std::shared_ptr<const PackedOffsets> sequences;

  // Both are kept alive until the backward pass has run. The order of score
  // mods counts; the mask comes last.
  std::shared_ptr<const Mask> mask;  // null: every key is live
  std::vector<std::shared_ptr<const ScoreMod>> score_mods;

  int num_threads = 0;  // 0: at::get_num_threads() of the calling thread
  AttentionReport* report = nullptr;  // filled during the call; not kept
};

// softmax(scale * query key^T, masked) value, through the Keylens engine:
// neither pass holds the matrix.
//
//   query [batch, heads, query_len, head_dim], key [batch, kv_heads, kv_len,
//   head_dim], value [batch, kv_heads, kv_len, value_dim]  ->  [batch, heads,
//   query_len, value_dim]
//
// float32 on the CPU, with any strides: a channels-first map seen as [b, heads,
// h*w, dim] is not copied. The output has the memory order of `query` (its axes
// from outermost to innermost), and each gradient that of its input.
// Differentiable once. Throws std::invalid_argument for shapes that disagree;
// other dtypes and devices are refused by c10::Error.
torch::Tensor Attention(const torch::Tensor& query, const torch::Tensor& key,
                        const torch::Tensor& value,
                        const AttentionFuncOptions& options = {});

// Self-attention on queries, keys and values that were computed as one tensor.
//
//   packed [batch, 3 * heads * head_dim, len...], the channels of all queries
//   first, then keys, then values, each head's channels together; one or more
//   axes of positions  ->  [batch, heads * head_dim, len...]
//
// Positions whose strides allow it (contiguous and channels_last maps) are read
// where they lie. The output and the gradient have the memory format of
// `packed`; the gradient is written once, without a concatenation.
torch::Tensor PackedAttention(const torch::Tensor& packed, int64_t heads,
                              const AttentionFuncOptions& options = {});

}  // namespace keylens::nn

#endif  // KEYLENS_NN_ATTENTION_H_
