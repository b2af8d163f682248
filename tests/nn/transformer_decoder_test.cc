#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/transformer_decoder.h>
#include <keylens/nn/transformer_encoder.h>

#include <cmath>

#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using Tensors = std::vector<torch::Tensor>;

TransformerDecoderOptions SmallDecoder() {
  TransformerDecoderOptions options;
  options.hidden_size = 24;
  options.num_heads = 3;
  options.num_layers = 2;
  options.activation = Activation::kRelu;
  return options;
}

// in: x, memory, then the 26 parameters of a layer in the order of their
// registration: norm1, the 8 of self-attention, norm2, the 8 of
// cross-attention, norm3, linear1, linear2.
torch::Tensor ComposedDecoderLayer(const Tensors& in,
                                   const torch::Tensor& live) {
  const auto norm = [&](const torch::Tensor& x, size_t i) {
    return torch::layer_norm(x, {24}, in[i], in[i + 1]);
  };
  const auto linear = [&](const torch::Tensor& x, size_t i) {
    return torch::linear(x, in[i], in[i + 1]);
  };
  const auto attend = [&](const torch::Tensor& x, const torch::Tensor& source,
                          size_t i, const torch::Tensor& mask) {
    const auto split = [](const torch::Tensor& rows) {
      return rows.view({rows.size(0), rows.size(1), 3, 8}).transpose(1, 2);
    };
    const torch::Tensor out =
        Compose(split(linear(x, i)), split(linear(source, i + 2)),
                split(linear(source, i + 4)), 1 / std::sqrt(8.0), mask)
            .out;
    return linear(out.transpose(1, 2).reshape(x.sizes()), i + 6);
  };
  const int64_t len = in[0].size(1);
  const torch::Tensor causal = torch::ones({len, len}, torch::kBool).tril();
  const torch::Tensor first = norm(in[0], 2);
  const torch::Tensor back = in[0] + attend(first, first, 4, causal);
  const torch::Tensor across = back + attend(norm(back, 12), in[1], 14, live);
  return across + linear(torch::relu(linear(norm(across, 22), 24)), 26);
}

TEST(TransformerDecoderLayer, EqualsTheComposedFormulaWithAllGradients) {
  torch::manual_seed(1);
  TransformerDecoderLayer layer(SmallDecoder());
  ASSERT_EQ(layer->parameters().size(), 26u);
  ExpectModuleSame(
      *layer, {torch::randn({2, 5, 24}), torch::randn({2, 7, 24})},
      [&](const Tensors& in) {
        TransformerDecoderCall call;
        call.memory = in[1];
        call.memory_mask = KeyPaddingMask({7, 3});
        return layer(in[0], call);
      },
      [](const Tensors& in) {
        return ComposedDecoderLayer(in, LiveKeys({7, 3}, 7));
      });
}

TEST(TransformerDecoder, APositionSeesNothingOfThoseAfterIt) {
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  TransformerDecoder decoder(SmallDecoder());
  TransformerDecoderCall call;
  call.memory = torch::randn({1, 4, 24});
  torch::Tensor x = torch::randn({1, 6, 24});
  const torch::Tensor before = decoder(x, call);
  x.narrow(1, 4, 2).normal_();
  const torch::Tensor after = decoder(x, call);
  EXPECT_TRUE(torch::equal(before.narrow(1, 0, 4), after.narrow(1, 0, 4)));
  EXPECT_FALSE(torch::equal(before.narrow(1, 4, 2), after.narrow(1, 4, 2)));
}

TEST(TransformerDecoder, StacksItsLayersAndNormalises) {
  torch::manual_seed(3);
  const torch::NoGradGuard no_grad;
  TransformerDecoder decoder(SmallDecoder());
  TransformerDecoderCall call;
  call.memory = torch::randn({2, 4, 24});
  const torch::Tensor x = torch::randn({2, 5, 24});
  torch::Tensor expected = x;
  for (const auto& layer : *decoder->layers)
    expected =
        layer->as<TransformerDecoderLayerImpl>()->forward(expected, call);
  expected = torch::layer_norm(expected, {24}, decoder->norm->weight,
                               decoder->norm->bias);
  EXPECT_TRUE(torch::equal(decoder(x, call), expected));
}

// Sentences of 3 and 5 source tokens, and 4 and 2 target tokens.
struct Sentences {
  torch::Tensor source = torch::randn({1, 8, 24});
  torch::Tensor target = torch::randn({1, 6, 24});
  std::vector<int64_t> source_offsets = {0, 3, 8};
  std::vector<int64_t> target_offsets = {0, 4, 6};
};

TransformerDecoderCall PackedCall(const Sentences& sentences) {
  TransformerDecoderCall call;
  call.memory = sentences.source;
  call.sequences = std::make_shared<const PackedOffsets>(
      PackedOffsets{sentences.target_offsets, sentences.target_offsets});
  call.memory_sequences = std::make_shared<const PackedOffsets>(
      PackedOffsets{sentences.target_offsets, sentences.source_offsets});
  return call;
}

TEST(TransformerDecoder, PackedSentencesAreWhatEachIsByItself) {
  torch::manual_seed(4);
  const Sentences sentences;
  TransformerDecoder decoder(SmallDecoder());
  const auto alone = [&](const Tensors& in) {
    Tensors parts;
    for (size_t s = 0; s < 2; ++s) {
      const auto part = [&](const torch::Tensor& all,
                            const std::vector<int64_t>& offsets) {
        return all.narrow(1, offsets[s], offsets[s + 1] - offsets[s]);
      };
      TransformerDecoderCall call;
      call.memory = part(in[1], sentences.source_offsets);
      parts.push_back(decoder(part(in[0], sentences.target_offsets), call));
    }
    return torch::cat(parts, 1);
  };
  const Tensors inputs = {sentences.target.clone().requires_grad_(),
                          sentences.source.clone().requires_grad_()};
  Sentences leaves = sentences;
  leaves.source = inputs[1];
  const torch::Tensor packed = decoder(inputs[0], PackedCall(leaves));
  const torch::Tensor expected = alone(inputs);
  EXPECT_LT(RelativeError(packed, expected), 1e-6);
  const torch::Tensor weight = torch::randn_like(packed);
  const auto packed_grads = torch::autograd::grad({packed}, inputs, {weight});
  const auto expected_grads =
      torch::autograd::grad({expected}, inputs, {weight});
  for (size_t i = 0; i < 2; ++i)
    EXPECT_LT(RelativeError(packed_grads[i], expected_grads[i]), 1e-5);
}

TEST(TransformerEncoder, PackedSentencesAreWhatEachIsByItself) {
  torch::manual_seed(5);
  const torch::NoGradGuard no_grad;
  const Sentences sentences;
  TransformerEncoder encoder(SmallDecoder());
  TransformerEncoderCall call;
  call.sequences = std::make_shared<const PackedOffsets>(
      PackedOffsets{sentences.source_offsets, sentences.source_offsets});
  const torch::Tensor packed = encoder(sentences.source, call);
  const torch::Tensor expected =
      torch::cat({encoder(sentences.source.narrow(1, 0, 3)),
                  encoder(sentences.source.narrow(1, 3, 5))},
                 1);
  EXPECT_LT(RelativeError(packed, expected), 1e-6);
}

TEST(TransformerDecoder, BranchesInBFloat16StayCloseWithFloat32Gradients) {
  torch::manual_seed(6);
  const Sentences sentences;
  TransformerDecoder decoder(SmallDecoder());
  TransformerDecoderCall call = PackedCall(sentences);
  const torch::Tensor expected = decoder(sentences.target, call);
  call.branch_type = torch::kBFloat16;
  const torch::Tensor mixed = decoder(sentences.target, call);
  EXPECT_EQ(mixed.scalar_type(), torch::kFloat32);
  const double error = RelativeError(mixed, expected);
  EXPECT_LT(error, 0.03);
  EXPECT_GT(error, 1e-5);  // or the branches were float32
  mixed.sum().backward();
  for (const torch::Tensor& parameter : decoder->parameters())
    EXPECT_EQ(parameter.grad().scalar_type(), torch::kFloat32);
}

// The keys decide, not the place in the batch: sentences keep their dropout
// when another one comes before them.
TEST(TransformerDecoder, DropoutFollowsTheKeysOfItsPositions) {
  torch::manual_seed(7);
  const torch::NoGradGuard no_grad;
  TransformerDecoderOptions options = SmallDecoder();
  options.dropout = 0.4;
  TransformerDecoder decoder(options);
  const Sentences both;
  TransformerDecoderCall call = PackedCall(both);
  call.dropout_keys = torch::tensor({10, 11, 12, 13, 20, 21}, torch::kLong);
  const torch::Tensor together = decoder(both.target, call);
  Sentences second;
  second.source = both.source.narrow(1, 3, 5);
  second.target = both.target.narrow(1, 4, 2);
  second.source_offsets = {0, 5};
  second.target_offsets = {0, 2};
  call = PackedCall(second);
  call.dropout_keys = torch::tensor({20, 21}, torch::kLong);
  EXPECT_LT(
      RelativeError(decoder(second.target, call), together.narrow(1, 4, 2)),
      1e-6);
  call.dropout_keys = torch::tensor({30, 31}, torch::kLong);
  EXPECT_GT(
      RelativeError(decoder(second.target, call), together.narrow(1, 4, 2)),
      1e-2);
}

}  // namespace
}  // namespace keylens::nn
