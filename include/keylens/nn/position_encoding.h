#ifndef KEYLENS_NN_POSITION_ENCODING_H_
#define KEYLENS_NN_POSITION_ENCODING_H_

#include <keylens/nn/linear.h>
#include <torch/torch.h>

namespace keylens::nn {

// Sines and cosines of `positions` [n] at dim / 2 wavelengths from 2 pi to
// about max_period * 2 pi ("Attention Is All You Need", section 3.5) -> [n,
// dim], float32: dim / 2 sines, then dim / 2 cosines. Positions need not be
// whole numbers. Throws std::invalid_argument for an odd or non-positive dim.
torch::Tensor SinusoidalEncoding(const torch::Tensor& positions, int64_t dim,
                                 double max_period = 10000);

// The encoding of positions 0 to len - 1: [len, dim].
torch::Tensor SinusoidalPositions(int64_t len, int64_t dim,
                                  double max_period = 10000);

// A time in [0, 1] as a vector: sinusoids, then linear1, SiLU, linear2.
//
// Parameters: linear1 {weight [dim, frequencies], bias}, linear2 {weight [dim,
// dim], bias}.
class TimestepEmbeddingImpl
    : public torch::nn::Cloneable<TimestepEmbeddingImpl> {
 public:
  explicit TimestepEmbeddingImpl(int64_t dim, int64_t frequencies = 64);
  void reset() override;

  torch::Tensor forward(const torch::Tensor& time);  // [batch] -> [batch, dim]

  Linear linear1 = nullptr, linear2 = nullptr;

 private:
  int64_t dim_, frequencies_;
};
TORCH_MODULE(TimestepEmbedding);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_POSITION_ENCODING_H_
