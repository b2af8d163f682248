#include "src/models/keylens_translator/tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/models/keylens_translator/model.h"
#include "src/models/keylens_unet/model.h"
#include "src/models/keylens_unet/tensors.h"
#include "src/models/vit/model.h"
#include "src/models/vit/tensors.h"

namespace keylens {
namespace {

using Shapes = std::map<std::string, std::vector<int64_t>>;

Shapes ShapesOf(const torch::nn::Module& module) {
  Shapes shapes;
  for (const auto& item : module.named_parameters())
    shapes[item.key()] = item.value().sizes().vec();
  for (const auto& item : module.named_buffers())
    shapes[item.key()] = item.value().sizes().vec();
  return shapes;
}

Shapes ShapesOf(const std::vector<TensorSpec>& specs) {
  Shapes shapes;
  for (const TensorSpec& spec : specs) {
    EXPECT_FALSE(spec.optional) << spec.name;
    EXPECT_TRUE(shapes.emplace(spec.name, spec.shape).second)
        << spec.name << " is there twice";
  }
  return shapes;
}

// No two sizes alike, so that swapped ones show.
TEST(TensorsOf, TheTranslatorIsItsModules) {
  const translator::TranslatorConfig config = {.vocab_size = 50,
                                               .hidden_size = 12,
                                               .num_heads = 3,
                                               .mlp_size = 20,
                                               .encoder_layers = 4,
                                               .decoder_layers = 2,
                                               .max_tokens = 9};
  EXPECT_EQ(ShapesOf(translator::TensorsOf(config)),
            ShapesOf(*translator::TranslatorModel(config)));
}

TEST(TensorsOf, TheClassifierIsItsModules) {
  for (const int64_t channels : {1, 3}) {
    classifier::ClassifierConfig config;
    config.image_size = 20;
    config.patch_size = 5;
    config.num_channels = channels;
    config.hidden_size = 12;
    config.num_hidden_layers = 3;
    config.num_attention_heads = 2;
    config.intermediate_size = 28;
    config.labels = {"a", "b", "c", "d", "e", "f", "g"};
    EXPECT_EQ(ShapesOf(classifier::TensorsOf(config)),
              ShapesOf(*classifier::ClassifierModel(config)));
  }
}

TEST(TensorsOf, TheGeneratorIsItsModules) {
  generator::GeneratorConfig config;
  config.text = {.vocab_size = 30,
                 .max_tokens = 7,
                 .hidden_size = 12,
                 .num_layers = 2,
                 .num_heads = 3};
  config.unet = {.sample_size = 32,
                 .channels = 4,
                 .patch = 2,
                 .block_channels = {8, 12, 20, 16},
                 .blocks = {1, 3, 2, 1},
                 .attention = {false, true, false, true},
                 .num_heads = 3,
                 .head_dim = 5,
                 .condition_size = 22,
                 .text_gain = 5,
                 .norm_groups = 4,
                 .context_size = 12};
  const generator::GeneratorModel model(config);
  EXPECT_EQ(ShapesOf(generator::TensorsOf(config.text)),
            ShapesOf(*model->text_encoder));
  EXPECT_EQ(ShapesOf(generator::TensorsOf(config.unet)),
            ShapesOf(*model->unet));
  // A single level has no position but the layout, and neither convolution
  // between levels.
  config.unet.block_channels = {8};
  config.unet.blocks = {2};
  config.unet.attention = {true};
  EXPECT_EQ(ShapesOf(generator::TensorsOf(config.unet)),
            ShapesOf(*generator::UNet(config.unet)));
}

}  // namespace
}  // namespace keylens
