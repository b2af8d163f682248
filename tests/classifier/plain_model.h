#ifndef KEYLENS_TESTS_CLASSIFIER_PLAIN_MODEL_H_
#define KEYLENS_TESTS_CLASSIFIER_PLAIN_MODEL_H_

#include <torch/torch.h>

#include <vector>

#include "src/models/vit/model.h"

namespace keylens::classifier {

// The same network in plain torch operations, in double: the oracle.
struct PlainPass {
  torch::Tensor logits;                // [n, classes]
  std::vector<torch::Tensor> weights;  // a layer each: [n, heads, tokens,
                                       // tokens], part of the graph
};

inline PlainPass RunPlain(ClassifierModelImpl& model,
                          const torch::Tensor& pictures) {
  const auto named = model.named_parameters();
  const auto get = [&](const std::string& name) {
    return named[name].detach().to(torch::kFloat64);
  };
  const auto linear = [&](const torch::Tensor& x, const std::string& name) {
    return x.matmul(get(name + ".weight").t()) + get(name + ".bias");
  };
  const auto norm = [&](const torch::Tensor& x, const std::string& name) {
    const torch::Tensor centred = x - x.mean(-1, true);
    const torch::Tensor variance = centred.square().mean(-1, true);
    return centred / (variance + 1e-5).sqrt() * get(name + ".weight") +
           get(name + ".bias");
  };
  const ClassifierConfig& config = model.config();
  const int64_t n = pictures.size(0), patch = config.patch_size,
                side = PatchesPerSide(config), hidden = config.hidden_size,
                heads = config.num_attention_heads;
  const torch::Tensor patches =
      pictures.to(torch::kFloat64)
          .reshape({n, config.num_channels, side, patch, side, patch})
          .permute({0, 2, 4, 1, 3, 5})
          .reshape({n, side * side, -1});
  const torch::Tensor embedded =
      patches.matmul(get("patch_embeddings.weight").reshape({hidden, -1}).t()) +
      get("patch_embeddings.bias");
  torch::Tensor x =
      torch::cat({get("cls_token").expand({n, 1, hidden}), embedded}, 1) +
      get("position_embeddings");
  PlainPass pass;
  for (int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const std::string layer = "encoder.layers." + std::to_string(i);
    const torch::Tensor normed = norm(x, layer + ".norm1");
    const auto split = [&](const std::string& name) {
      return linear(normed, layer + ".attention." + name)
          .reshape({n, -1, heads, hidden / heads})
          .transpose(1, 2);
    };
    const double scale =
        1 / std::sqrt(static_cast<double>(hidden) / static_cast<double>(heads));
    torch::Tensor weights =
        (split("query").matmul(split("key").transpose(2, 3)) * scale)
            .softmax(-1);
    if (i == 0) weights.set_requires_grad(true);  // the others follow from it
    pass.weights.push_back(weights);
    const torch::Tensor merged =
        weights.matmul(split("value")).transpose(1, 2).reshape({n, -1, hidden});
    x = x + linear(merged, layer + ".attention.output");
    const torch::Tensor inner =
        linear(norm(x, layer + ".norm2"), layer + ".linear1");
    const torch::Tensor gelu =
        0.5 * inner * (1 + torch::erf(inner / std::sqrt(2.0)));
    x = x + linear(gelu, layer + ".linear2");
  }
  pass.logits = linear(norm(x, "encoder.norm").select(1, 0), "classifier");
  return pass;
}

}  // namespace keylens::classifier

#endif  // KEYLENS_TESTS_CLASSIFIER_PLAIN_MODEL_H_
