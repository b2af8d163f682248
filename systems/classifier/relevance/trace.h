#ifndef KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_TRACE_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_TRACE_H_

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "src/models/vit/model.h"

namespace keylens::classifier {

// What one picture's pass through the network leaves to look at. Tokens are the
// class token and the patches, row by row.
struct Trace {
  torch::Tensor logits;                // [classes]
  std::vector<torch::Tensor> weights;  // a layer each: [heads, tokens, tokens]
  std::vector<torch::Tensor> relevance;  // likewise: the positive part of each
                                         // weight times its gradient
};

// Runs the network on one picture [1, channels, size, size], and back from the
// logit of `target` (of the largest logit where it is negative). The model's
// parameters get no gradients.
Trace TracePicture(ClassifierModelImpl& model, const torch::Tensor& picture,
                   int64_t target = -1);

// Attention rollout (Abnar, Zuidema: Quantifying attention flow in
// transformers): the product over the layers, the last one leftmost, of half
// the mean of the heads' weights plus half the identity. The row of the class
// token: [tokens], float64.
torch::Tensor Rollout(const std::vector<torch::Tensor>& weights);

// Relevance for a class (Chefer, Gur, Wolf: Generic attention-model
// explainability for interpreting bi-modal and encoder-decoder transformers):
// from R = identity, R += A R for every layer, A the mean over the heads of the
// positive part of weight times gradient. The row of the class token, without
// the identity's own 1: [tokens], float64.
torch::Tensor Relevance(const std::vector<torch::Tensor>& relevance);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_TRACE_H_
