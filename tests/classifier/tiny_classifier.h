#ifndef KEYLENS_TESTS_CLASSIFIER_TINY_CLASSIFIER_H_
#define KEYLENS_TESTS_CLASSIFIER_TINY_CLASSIFIER_H_

#include <torch/torch.h>

#include "src/models/vit/model.h"

namespace keylens::classifier {

// 3 x 3 patches of 4 pixels, 2 layers, 2 heads of 5.
inline ClassifierConfig TinyConfig() {
  ClassifierConfig config;
  config.image_size = 12;
  config.content_size = 12;
  config.num_channels = 3;
  config.hidden_size = 10;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.intermediate_size = 14;
  config.labels = {"a", "b", "c"};
  return config;
}

// Its weights are large enough for attention to be far from even.
inline ClassifierModel TinyModel(uint64_t seed = 1) {
  torch::manual_seed(seed);
  ClassifierModel model(TinyConfig());
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : model->parameters())
    parameter.normal_(0, 0.6);
  model->eval();
  return model;
}

}  // namespace keylens::classifier

#endif  // KEYLENS_TESTS_CLASSIFIER_TINY_CLASSIFIER_H_
