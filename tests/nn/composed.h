#ifndef KEYLENS_TESTS_NN_COMPOSED_H_
#define KEYLENS_TESTS_NN_COMPOSED_H_

#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

// The formulas of the layers in plain torch operations, meant to run in double,
// and the comparison with them.

namespace keylens::nn {

struct ComposedAttention {
  torch::Tensor out, weights;
};

// query [b, heads, n, d], key and value [b, heads, m, d]; live: bool, broadcast
// to [b, heads, n, m], or undefined.
ComposedAttention Compose(const torch::Tensor& query, const torch::Tensor& key,
                          const torch::Tensor& value, double scale,
                          const torch::Tensor& live = {});

// The first live_lengths[i] of `len` keys: [b, 1, 1, len].
torch::Tensor LiveKeys(const std::vector<int64_t>& live_lengths, int64_t len);

// The largest |actual - expected|, as a share of the largest |expected|, or of
// `scale` where that is larger; infinity where the shapes differ or a value is
// not finite.
double RelativeError(const torch::Tensor& actual, const torch::Tensor& expected,
                     double scale = 0);

// A tensor of the same values in double that gathers a gradient of its own.
torch::Tensor DoubleLeaf(const torch::Tensor& tensor);

// Runs `actual` on the float `leaves` and `expected` on their doubles,
// backpropagates one random gradient through both, and expects the outputs and
// the gradients of all leaves to agree to 1e-5 (or `tolerance`).
using Formula =
    std::function<torch::Tensor(const std::vector<torch::Tensor>& leaves)>;
void ExpectSameWithGradients(const std::vector<torch::Tensor>& leaves,
                             const Formula& actual, const Formula& expected,
                             double tolerance = 1e-5);

// The same for a module: its parameters are leaves after the inputs, in the
// order of named_parameters. `expected` gets the inputs, then the parameters.
void ExpectModuleSame(torch::nn::Module& module,
                      const std::vector<torch::Tensor>& inputs,
                      const Formula& actual, const Formula& expected,
                      double tolerance = 1e-5);

torch::Tensor ChannelsLast(const torch::Tensor& map);

}  // namespace keylens::nn

#endif  // KEYLENS_TESTS_NN_COMPOSED_H_
