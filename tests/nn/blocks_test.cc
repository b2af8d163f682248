#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/memory.h>
#include <keylens/nn/position_encoding.h>
#include <keylens/nn/residual_block.h>
#include <keylens/nn/transformer_encoder.h>

#include <cmath>
#include <thread>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

TransformerEncoderOptions SmallEncoder(double dropout = 0) {
  TransformerEncoderOptions options;
  options.hidden_size = 24;
  options.num_heads = 3;
  options.num_layers = 2;
  options.dropout = dropout;
  return options;
}

// in: x, then the 16 parameters of a layer in the order of their registration.
torch::Tensor ComposedLayer(const Tensors& in, const torch::Tensor& live) {
  const auto norm = [&](const torch::Tensor& x, size_t i) {
    return torch::layer_norm(x, {24}, in[i], in[i + 1]);
  };
  const auto linear = [&](const torch::Tensor& x, size_t i) {
    return torch::linear(x, in[i], in[i + 1]);
  };
  const auto split = [](const torch::Tensor& x) {
    return x.view({x.size(0), x.size(1), 3, 8}).transpose(1, 2);
  };
  const torch::Tensor first = norm(in[0], 1);
  const torch::Tensor attended =
      Compose(split(linear(first, 3)), split(linear(first, 5)),
              split(linear(first, 7)), 1 / std::sqrt(8.0), live)
          .out;
  const torch::Tensor middle =
      in[0] + linear(attended.transpose(1, 2).reshape(in[0].sizes()), 9);
  return middle + linear(torch::gelu(linear(norm(middle, 11), 13)), 15);
}

TEST(TransformerEncoderLayer, EqualsTheComposedFormula) {
  torch::manual_seed(1);
  TransformerEncoderLayer layer(SmallEncoder());
  TransformerEncoderCall call;
  call.mask = KeyPaddingMask({5, 3});
  ExpectModuleSame(
      *layer, {torch::randn({2, 5, 24})},
      [&](const Tensors& in) { return layer(in[0], call); },
      [](const Tensors& in) {
        return ComposedLayer(in, LiveKeys({5, 3}, 5));
      });
}

TEST(TransformerEncoder, StacksItsLayersAndNormalises) {
  torch::manual_seed(2);
  TransformerEncoder encoder(SmallEncoder());
  const torch::Tensor x = torch::randn({2, 5, 24});
  torch::Tensor expected = x;
  for (const auto& layer : *encoder->layers)
    expected = layer->as<TransformerEncoderLayerImpl>()->forward(expected);
  expected = torch::layer_norm(expected, {24}, encoder->norm->weight,
                               encoder->norm->bias);
  EXPECT_TRUE(torch::equal(encoder(x), expected));
}

TEST(TransformerEncoder, DropsOutWhileTrainingByTheKeysOfItsPositions) {
  TransformerEncoder encoder(SmallEncoder(/*dropout=*/0.5));
  const torch::Tensor x = torch::randn({2, 5, 24});
  const auto run = [&](int64_t seed) {
    TransformerEncoderCall call;
    call.dropout_keys = torch::arange(10) + seed;
    return encoder(x, call);
  };
  EXPECT_TRUE(torch::equal(run(7), run(7)));
  EXPECT_FALSE(torch::equal(run(7), run(8)));
  encoder->eval();
  EXPECT_TRUE(torch::equal(run(7), run(8)));
}

TEST(TransformerEncoder, ClonesIntoItsOwnParameters) {
  TransformerEncoder encoder(SmallEncoder());
  const auto copy =
      std::dynamic_pointer_cast<TransformerEncoderImpl>(encoder->clone());
  const torch::Tensor x = torch::randn({1, 4, 24});
  EXPECT_TRUE(torch::equal(copy->forward(x), encoder(x)));
  torch::NoGradGuard no_grad;
  encoder->norm->weight.zero_();
  EXPECT_FALSE(torch::equal(copy->forward(x), encoder(x)));
}

TEST(SinusoidalEncoding, HasTheWavelengthsOfThePaper) {
  const torch::Tensor encoding = SinusoidalPositions(50, 8);
  EXPECT_EQ(encoding.sizes(), (std::vector<int64_t>{50, 8}));
  for (const int64_t position : {0, 1, 49}) {
    for (int64_t i = 0; i < 4; ++i) {
      const double angle = static_cast<double>(position) /
                           std::pow(10000.0, static_cast<double>(i) / 4);
      EXPECT_NEAR(encoding[position][i].item<float>(), std::sin(angle), 1e-6);
      EXPECT_NEAR(encoding[position][4 + i].item<float>(), std::cos(angle),
                  1e-6);
    }
  }
  EXPECT_THROW(SinusoidalPositions(3, 7), std::invalid_argument);
  EXPECT_THROW(SinusoidalPositions(3, 0), std::invalid_argument);
}

TEST(TimestepEmbedding, TellsTimesApart) {
  TimestepEmbedding embedding(16);
  const torch::Tensor out = embedding(torch::tensor({0.0, 0.001, 1.0}));
  EXPECT_EQ(out.sizes(), (std::vector<int64_t>{3, 16}));
  EXPECT_GT((out[0] - out[1]).abs().max().item<float>(), 1e-4);
}

// in: x, time, then the parameters of a block with a skip convolution in the
// order of their registration.
torch::Tensor ComposedBlock(const Tensors& in) {
  const auto norm = [&](const torch::Tensor& x, size_t i) {
    return torch::group_norm(x, 4, in[i], in[i + 1], 1e-5,
                             /*cudnn_enabled=*/false);
  };
  const auto film = torch::linear(in[1], in[6], in[7])
                        .unsqueeze(-1)
                        .unsqueeze(-1)
                        .chunk(2, 1);
  torch::Tensor branch =
      torch::conv2d(torch::silu(norm(in[0], 2)), in[4], in[5], 1, 1);
  branch = torch::silu(norm(branch, 8) * (1 + film[0]) + film[1]);
  return torch::conv2d(branch, in[10], in[11], 1, 1) +
         torch::conv2d(in[0], in[12], in[13]);
}

TEST(ResidualBlock, EqualsTheComposedFormulaInBothFormats) {
  torch::manual_seed(3);
  for (const bool channels_last : {false, true}) {
    ResidualBlock block(8, 12, /*time_dim=*/10, /*num_groups=*/4);
    torch::nn::init::normal_(block->conv2->weight, 0, 0.1);
    torch::Tensor x = torch::randn({2, 8, 6, 5});
    if (channels_last) {
      x = ChannelsLast(x);
      ToChannelsLast(*block);
    }
    std::vector<std::string> names;
    for (const auto& parameter : block->named_parameters())
      names.push_back(parameter.key());
    ASSERT_EQ(names,
              (std::vector<std::string>{
                  "norm1.weight", "norm1.bias", "conv1.weight", "conv1.bias",
                  "time.weight", "time.bias", "norm2.weight", "norm2.bias",
                  "conv2.weight", "conv2.bias", "skip.weight", "skip.bias"}));
    ExpectModuleSame(
        *block, {x, torch::randn({2, 10})},
        [&](const Tensors& in) { return block(in[0], in[1]); }, ComposedBlock);
  }
}

TEST(ResidualBlock, PassesItsInputThroughAtFirst) {
  ResidualBlock block(8, 8);
  const torch::Tensor x = torch::randn({2, 8, 4, 4});
  EXPECT_TRUE(torch::equal(block(x), x));
}

TEST(ResidualBlock, GivesTheSameBitsInTwoThreadsAtOnce) {
  torch::manual_seed(4);
  ResidualBlock block(16, 16, 10);
  torch::nn::init::normal_(block->conv2->weight, 0, 0.1);
  ToChannelsLast(*block);
  const torch::Tensor x = ChannelsLast(torch::randn({16, 16, 8, 8})),
                      time = torch::randn({16, 10});
  const auto gradients = [&] {
    at::set_num_threads(1);
    return torch::autograd::grad({block(x, time).square().sum()},
                                 block->parameters());
  };
  Tensors alone, together[2];
  std::thread([&] { alone = gradients(); }).join();
  std::thread first([&] { together[0] = gradients(); }),
      second([&] { together[1] = gradients(); });
  first.join();
  second.join();
  for (size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(torch::equal(alone[i], together[0][i])) << i;
    EXPECT_TRUE(torch::equal(alone[i], together[1][i])) << i;
  }
}

TEST(ToChannelsLast, KeepsValuesNamesAndShapes) {
  ResidualBlock block(8, 16);
  const torch::Tensor before = block->conv1->weight.clone();
  ToChannelsLast(*block);
  EXPECT_TRUE(torch::equal(block->conv1->weight, before));
  EXPECT_TRUE(
      block->conv1->weight.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(block->conv1->weight.requires_grad());
}

}  // namespace
}  // namespace keylens::nn
