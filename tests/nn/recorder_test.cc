#include <gtest/gtest.h>
#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/cross_attention.h>
#include <keylens/nn/spatial_attention.h>
#include <keylens/nn/transformer_encoder.h>

#include <thread>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

// Attention layers at two depths, as a U-Net has them.
struct NestImpl : torch::nn::Module {
  NestImpl() {
    down = register_module("down", torch::nn::ModuleList());
    down->push_back(CrossAttention(8, 6, 2, 4));
    down->push_back(CrossAttention(8, 6, 1, 8));
    mid = register_module("mid", SpatialAttention(8, 2, 4));
  }

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& text,
                        AttentionRecorder* recorder) {
    for (const auto& layer : *down)
      x = x + layer->as<CrossAttentionImpl>()->forward(x, text, {}, recorder);
    return x + mid(x, recorder);
  }

  torch::nn::ModuleList down;
  SpatialAttention mid = nullptr;
};
TORCH_MODULE(Nest);

// Takes the layers of `mid` alone.
struct MidOnly : AttentionMaps {
  bool Wants(const std::string& layer) const override {
    return layer.starts_with("mid");
  }
};

TEST(AttentionRecorder, KeepsMapsByLayerAndStep) {
  torch::manual_seed(1);
  Nest nest;
  NameAttentionLayers(*nest);
  const torch::Tensor x = torch::randn({2, 8, 3, 4}),
                      text = torch::randn({2, 5, 6});
  AttentionMaps maps;
  for (int64_t step = 0; step < 2; ++step) {
    maps.set_step(step);
    nest(x, text, &maps);
  }
  ASSERT_EQ(maps.entries().size(), 6u);
  EXPECT_EQ(maps.entries()[1].layer, "down.1");
  EXPECT_EQ(maps.entries()[1].weights.sizes(),
            (std::vector<int64_t>{2, 1, 12, 5}));
  EXPECT_EQ(maps.entries()[2].layer, "mid");
  EXPECT_EQ(maps.entries()[2].weights.sizes(),
            (std::vector<int64_t>{2, 2, 12, 12}));
  EXPECT_EQ(maps.entries()[2].step, 0);
  EXPECT_EQ(maps.entries()[3].layer, "down.0");
  EXPECT_EQ(maps.entries()[3].step, 1);
}

TEST(AttentionRecorder, ChoosesLayersAndChangesNoBit) {
  Nest nest;
  NameAttentionLayers(*nest);
  const torch::Tensor x = torch::randn({2, 8, 3, 4}),
                      text = torch::randn({2, 5, 6});
  MidOnly maps;
  AttentionMaps all;
  const torch::Tensor plain = nest(x, text, nullptr);
  EXPECT_TRUE(torch::equal(plain, nest(x, text, &maps)));
  EXPECT_TRUE(torch::equal(plain, nest(x, text, &all)));
  ASSERT_EQ(maps.entries().size(), 1u);
  EXPECT_EQ(maps.entries()[0].layer, "mid");
}

TEST(AttentionRecorder, TwoThreadsRecordOneModelAtOnce) {
  Nest nest;
  NameAttentionLayers(*nest);
  const torch::Tensor x = torch::randn({2, 8, 5, 4}),
                      text = torch::randn({2, 5, 6});
  AttentionMaps alone;
  nest(x, text, &alone);
  AttentionMaps maps[2];
  std::vector<std::thread> threads;
  for (AttentionMaps& mine : maps) {
    threads.emplace_back([&] {
      at::set_num_threads(1);
      for (int64_t step = 0; step < 20; ++step) {
        mine.set_step(step);
        nest(x, text, &mine);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const AttentionMaps& mine : maps) {
    ASSERT_EQ(mine.entries().size(), 60u);
    for (size_t i = 0; i < 60; ++i) {
      EXPECT_EQ(mine.entries()[i].layer, alone.entries()[i % 3].layer);
      EXPECT_TRUE(torch::equal(mine.entries()[i].weights,
                               alone.entries()[i % 3].weights));
    }
  }
}

TEST(NameAttentionLayers, FollowsTheParameterNames) {
  TransformerEncoderOptions options;
  options.hidden_size = 16;
  options.num_heads = 2;
  options.num_layers = 2;
  TransformerEncoder encoder(options);
  NameAttentionLayers(*encoder);
  AttentionMaps maps;
  TransformerEncoderCall call;
  call.recorder = &maps;
  encoder(torch::randn({1, 3, 16}), call);
  ASSERT_EQ(maps.entries().size(), 2u);
  EXPECT_EQ(maps.entries()[1].layer, "layers.1.attention");
  EXPECT_TRUE(
      encoder->named_parameters().contains("layers.1.attention.query.weight"));
}

}  // namespace
}  // namespace keylens::nn
