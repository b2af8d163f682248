#ifndef KEYLENS_NN_RESIDUAL_DROPOUT_H_
#define KEYLENS_NN_RESIDUAL_DROPOUT_H_

#include <torch/torch.h>

#include <cstdint>

namespace keylens::nn {

// What is dropped in one pass of training. Whether an element stays is a
// function of its row's key, the site and its column alone, so that neither
// what else is in the batch nor the number of threads changes it.
struct DropoutDraw {
  double probability = 0;  // in [0, 1): that an element is dropped
  // int64, one key for each row of a branch in any shape, such as a hash of
  // (step, sentence, position). Undefined: drawn from torch's generator.
  torch::Tensor row_keys;
  uint64_t site = 0;  // another one for each place of a network
};

// x + dropout(branch): an element of the branch is set to 0 with that
// probability, and the others are divided by 1 - probability.
//
//   x       [..., size], float32
//   branch  the shape of x, float32 or bfloat16  ->  the shape and type of x
//
// One pass, and nothing is kept for the backward pass but the keys. On the CPU;
// differentiable once. Throws std::invalid_argument for shapes that disagree
// or a probability outside [0, 1).
torch::Tensor AddDropout(const torch::Tensor& x, const torch::Tensor& branch,
                         const DropoutDraw& draw);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_RESIDUAL_DROPOUT_H_
