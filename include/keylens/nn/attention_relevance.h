#ifndef KEYLENS_NN_ATTENTION_RELEVANCE_H_
#define KEYLENS_NN_ATTENTION_RELEVANCE_H_

#include <keylens/nn/attention.h>
#include <torch/torch.h>

namespace keylens::nn {

// The positive part of each weight of an Attention call times the gradient of a
// loss by that weight, which maps of relevance are made of (Chefer, Gur, Wolf:
// Transformer interpretability beyond attention visualization).
//
//   query, key, value  the inputs of the call, as Attention takes them
//   out_grad           the gradient of the loss by its output [batch, heads,
//                      query_len, value_dim]
//   ->  [batch, heads, query_len, kv_len], without a gradient
//
// Throws std::invalid_argument for shapes that disagree; other dtypes and
// devices are refused by c10::Error. options.sequences and options.report must
// be null.
torch::Tensor AttentionRelevance(const torch::Tensor& query,
                                 const torch::Tensor& key,
                                 const torch::Tensor& value,
                                 const torch::Tensor& out_grad,
                                 const AttentionFuncOptions& options = {});

}  // namespace keylens::nn

#endif  // KEYLENS_NN_ATTENTION_RELEVANCE_H_
