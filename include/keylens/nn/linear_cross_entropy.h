#ifndef KEYLENS_NN_LINEAR_CROSS_ENTROPY_H_
#define KEYLENS_NN_LINEAR_CROSS_ENTROPY_H_

#include <torch/torch.h>

namespace keylens::nn {

// The cross-entropy of softmax(rows weight^T) against smoothed targets, summed
// over the rows:
//
//   sum over rows of -(1 - label_smoothing) ln p[target]
//                    - label_smoothing / classes * sum over classes of ln p
//
//   rows     [n, size], float32 or bfloat16
//   weight   [classes, size], float32, rounded to the type of the rows
//   targets  [n], int64, each in [0, classes), or -1 for a row that does not
//            count
//   -> a scalar, float32; differentiable once, by rows and weight
//
// One matrix [n, classes] of the rows' type is all that is held: the logits,
// which the gradient by them overwrites. That is computed in the forward pass,
// while the probabilities are at hand. On the CPU.
torch::Tensor LinearCrossEntropy(const torch::Tensor& rows,
                                 const torch::Tensor& weight,
                                 const torch::Tensor& targets,
                                 double label_smoothing = 0);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_LINEAR_CROSS_ENTROPY_H_
