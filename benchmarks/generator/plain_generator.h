#ifndef KEYLENS_BENCHMARKS_GENERATOR_PLAIN_GENERATOR_H_
#define KEYLENS_BENCHMARKS_GENERATOR_PLAIN_GENERATOR_H_

#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

#include "src/models/keylens_unet/model.h"

namespace keylens::generator {

// The generator's two networks written with torch's own operations on
// contiguous maps: conv2d, group_norm, silu, linear, layer_norm, and attention
// as two products with a softmax between them. The yardstick of train_bench.
class PlainGenerator {
 public:
  // Copies the parameters.
  explicit PlainGenerator(const GeneratorModelImpl& model);

  // What the U-Net predicts; arguments as those of UNetImpl and
  // TextEncoderImpl.
  torch::Tensor Forward(const torch::Tensor& x, const torch::Tensor& time,
                        const TokenBatch& text);

  std::vector<torch::Tensor> Parameters() const;

 private:
  struct Text {
    torch::Tensor tokens, pooled, mask;
  };

  torch::Tensor At(const std::string& name) const;
  torch::Tensor Conv(const torch::Tensor& x, const std::string& name,
                     int64_t stride = 1) const;
  torch::Tensor Linear(const torch::Tensor& x, const std::string& name) const;
  torch::Tensor GroupNorm(const torch::Tensor& x,
                          const std::string& name) const;
  torch::Tensor LayerNorm(const torch::Tensor& x,
                          const std::string& name) const;
  Text Encode(const TokenBatch& batch) const;
  torch::Tensor EncoderLayer(const torch::Tensor& x, const torch::Tensor& mask,
                             const std::string& name) const;
  torch::Tensor Condition(const torch::Tensor& time, const Text& text) const;
  torch::Tensor Layout(const torch::Tensor& condition,
                       const torch::Tensor& map) const;
  torch::Tensor Block(const torch::Tensor& x, const torch::Tensor& condition,
                      const std::string& name) const;
  torch::Tensor Spatial(const torch::Tensor& x, const std::string& name) const;
  torch::Tensor Cross(const torch::Tensor& x, const Text& text,
                      const std::string& name) const;
  torch::Tensor MapAttention(torch::Tensor x, const Text& text,
                             const std::string& name) const;

  GeneratorConfig config_;
  std::map<std::string, torch::Tensor> parameters_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_BENCHMARKS_GENERATOR_PLAIN_GENERATOR_H_
