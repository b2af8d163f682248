#include "src/models/vit/model.h"

namespace keylens::classifier {
namespace {

constexpr double kDeviation = 0.02;  // of embeddings, as ViT has it

// Matrices by Glorot, biases zero.
void Initialise(ClassifierModelImpl& model) {
  torch::NoGradGuard no_grad;
  for (const auto& item : model.named_parameters()) {
    torch::Tensor parameter = item.value();
    if (parameter.dim() == 2) torch::nn::init::xavier_uniform_(parameter);
    if (parameter.dim() == 3) parameter.normal_(0, kDeviation);
    if (item.key().ends_with("bias")) parameter.zero_();
  }
}

torch::nn::Conv2d MakePatchEmbeddings(const ClassifierConfig& config) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(config.num_channels,
                                                    config.hidden_size,
                                                    config.patch_size)
                               .stride(config.patch_size));
}

}  // namespace

ClassifierModelImpl::ClassifierModelImpl(const ClassifierConfig& config)
    : config_(config) {
  const int64_t side = PatchesPerSide(config);
  cls_token =
      register_parameter("cls_token", torch::zeros({1, 1, config.hidden_size}));
  position_embeddings = register_parameter(
      "position_embeddings",
      torch::zeros({1, 1 + side * side, config.hidden_size}));
  patch_embeddings =
      register_module("patch_embeddings", MakePatchEmbeddings(config));
  encoder = register_module("encoder",
                            nn::TransformerEncoder(EncoderOptions(config)));
  classifier = register_module(
      "classifier", nn::Linear(config.hidden_size,
                               static_cast<int64_t>(config.labels.size())));
  Initialise(*this);
  nn::NameAttentionLayers(*this);
}

torch::Tensor ClassifierModelImpl::forward(const torch::Tensor& pictures) {
  nn::TransformerCall call;
  call.branch_type = branch_type_;
  call.rows = kClassToken;
  return Logits(encoder->forward(Embed(pictures), call).squeeze(1));
}

torch::Tensor ClassifierModelImpl::Embed(const torch::Tensor& pictures) {
  const torch::Tensor patches =
      patch_embeddings(pictures).flatten(2).transpose(1, 2);
  const torch::Tensor first =
      cls_token.expand({pictures.size(0), 1, config_.hidden_size});
  return torch::cat({first, patches}, 1) + position_embeddings;
}

torch::Tensor ClassifierModelImpl::Logits(const torch::Tensor& state) {
  return classifier(state);
}

}  // namespace keylens::classifier
