#ifndef KEYLENS_SRC_MODELS_VIT_MODEL_H_
#define KEYLENS_SRC_MODELS_VIT_MODEL_H_

#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include "src/models/vit/config.h"

namespace keylens::classifier {

// A Vision Transformer (Dosovitskiy et al.: An image is worth 16x16 words):
// patches as tokens behind a class token, learned positions, pre-norm layers
// with GELU; the class token's last state makes the logits.
//
// Parameters: cls_token [1, 1, hidden_size], position_embeddings [1, 1 +
// patches, hidden_size], patch_embeddings [hidden_size, channels, patch_size,
// patch_size] with a bias, those of nn::TransformerEncoder below `encoder`, and
// `classifier`. Token 1 + r * columns + c is the patch in row r and column c.
class ClassifierModelImpl : public torch::nn::Module {
 public:
  explicit ClassifierModelImpl(const ClassifierConfig& config);

  // pictures [n, channels, image_size, image_size], normalised -> logits [n,
  // classes]. The last layer is run for the class token alone, which is all
  // that is read of it.
  torch::Tensor forward(const torch::Tensor& pictures);

  // pictures -> tokens [n, 1 + patches, hidden_size], as the first layer takes
  // them.
  torch::Tensor Embed(const torch::Tensor& pictures);

  // The class token's state after the last layer and the last normalisation,
  // [n, hidden_size] -> logits.
  torch::Tensor Logits(const torch::Tensor& state);

  // Of the branches while training: float32 or bfloat16.
  void set_branch_type(torch::ScalarType type) { branch_type_ = type; }

  const ClassifierConfig& config() const { return config_; }

  torch::Tensor cls_token, position_embeddings;
  torch::nn::Conv2d patch_embeddings = nullptr;
  nn::TransformerEncoder encoder = nullptr;
  nn::Linear classifier = nullptr;

 private:
  ClassifierConfig config_;
  torch::ScalarType branch_type_ = torch::kFloat32;
};
TORCH_MODULE(ClassifierModel);

}  // namespace keylens::classifier

#endif  // KEYLENS_SRC_MODELS_VIT_MODEL_H_
