// Encoder and decoder in inference against the forward of the modules whose
// weights they copied.

#include <gtest/gtest.h>
#include <keylens/nn/transformer_decoder.h>
#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <vector>

#include "src/nn/inference/decoder.h"
#include "src/nn/inference/encoder.h"
#include "src/nn/state_dict.h"

namespace keylens::nn {
namespace {

constexpr int64_t kSize = 48;
using Floats = std::vector<float>;

TransformerEncoderOptions Options(Activation activation) {
  TransformerEncoderOptions options;
  options.hidden_size = kSize;
  options.num_heads = 3;
  options.mlp_size = 80;
  options.num_layers = 2;
  options.activation = activation;
  return options;
}

Floats ToFloats(const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.detach().contiguous();
  const float* data = dense.data_ptr<float>();
  return {data, data + dense.numel()};
}

Floats RowsOf(const Floats& all, int64_t begin, int64_t end) {
  return {all.begin() + begin * kSize, all.begin() + end * kSize};
}

void ExpectNear(const Floats& got, const torch::Tensor& expected) {
  const Floats wanted = ToFloats(expected);
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], wanted[i], 2e-5) << i;
}

class InferenceTest : public testing::TestWithParam<Activation> {
 protected:
  InferenceTest() {
    torch::manual_seed(3);
    encoder_ = TransformerEncoder(Options(GetParam()));
    decoder_ = TransformerDecoder(Options(GetParam()));
    encoder_->eval();
    decoder_->eval();
    for (torch::Tensor& parameter : encoder_->parameters())
      parameter.data().add_(torch::randn_like(parameter) * 0.1);
    for (torch::Tensor& parameter : decoder_->parameters())
      parameter.data().add_(torch::randn_like(parameter) * 0.1);
  }

  torch::Tensor Forward(const torch::Tensor& x, const torch::Tensor& memory) {
    TransformerDecoderCall call;
    call.memory = memory.unsqueeze(0);
    return decoder_->forward(x.unsqueeze(0), call).squeeze(0);
  }

  torch::NoGradGuard no_grad_;
  TransformerEncoder encoder_ = nullptr;
  TransformerDecoder decoder_ = nullptr;
  InferenceBuffers buffers_;
};

TEST_P(InferenceTest, EncodesAsTheModuleDoes) {
  const EncoderInference inference(*SourceOf(*encoder_), "",
                                   Options(GetParam()));
  const std::vector<int64_t> offsets = {0, 5, 6, 25};
  const torch::Tensor x = torch::randn({25, kSize});
  Floats rows = ToFloats(x);
  inference.Run(rows.data(), offsets, buffers_);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const torch::Tensor sentence = x.slice(0, offsets[s], offsets[s + 1]);
    ExpectNear(RowsOf(rows, offsets[s], offsets[s + 1]),
               encoder_->forward(sentence.unsqueeze(0)));
  }
}

TEST_P(InferenceTest, GivesASentenceTheBitsItGetsAlone) {
  const EncoderInference inference(*SourceOf(*encoder_), "",
                                   Options(GetParam()));
  const std::vector<int64_t> offsets = {0, 5, 6, 25};
  const Floats x = ToFloats(torch::randn({25, kSize}));
  Floats together = x;
  inference.Run(together.data(), offsets, buffers_);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    Floats alone = RowsOf(x, offsets[s], offsets[s + 1]);
    const std::vector<int64_t> one = {0, offsets[s + 1] - offsets[s]};
    inference.Run(alone.data(), one, buffers_);
    EXPECT_EQ(alone, RowsOf(together, offsets[s], offsets[s + 1])) << s;
  }
}

TEST_P(InferenceTest, EncodesTheSameWhenAskedForWeights) {
  const EncoderInference inference(*SourceOf(*encoder_), "",
                                   Options(GetParam()));
  const Floats x = ToFloats(torch::randn({7, kSize}));
  Floats plain = x, weighted = x;
  inference.Run(plain.data(), std::vector<int64_t>{0, 7}, buffers_);
  const auto weights = inference.RunWithWeights(weighted.data(), 7, buffers_);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(plain[i], weighted[i], 1e-5);
  ASSERT_EQ(weights.size(), 2);
  for (const AttentionWeights& layer : weights) {
    ASSERT_EQ(layer.values.size(), 3 * 7 * 7);
    for (int64_t row = 0; row < 3 * 7; ++row) {
      float sum = 0;
      for (int64_t k = 0; k < 7; ++k) sum += layer.values[row * 7 + k];
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
}

// Two sources, three sequences, of which one is a fork.
TEST_P(InferenceTest, DecodesStepByStepAsTheModuleDoes) {
  const DecoderInference inference(*SourceOf(*decoder_), "",
                                   DecoderOptions(Options(GetParam())));
  const torch::Tensor memory = torch::randn({40, kSize});
  const Floats memory_rows = ToFloats(memory);
  const std::vector<int64_t> offsets = {0, 37, 40};
  const torch::Tensor x = torch::randn({3, 20, kSize});
  x[2].slice(0, 0, 17).copy_(x[0].slice(0, 0, 17));  // the fork's past

  DecodingState state(inference, memory_rows.data(), offsets);
  std::vector<int64_t> sequences = {state.Add(), state.Add()};
  std::vector<int64_t> sources = {0, 1};
  std::vector<Floats> outputs(3);
  for (int64_t position = 0; position < 20; ++position) {
    if (position == 17) {
      sequences.push_back(state.Fork(sequences[0]));
      sources.push_back(0);
      outputs[2] = outputs[0];
    }
    const auto n = static_cast<int64_t>(sequences.size());
    Floats rows = ToFloats(x.slice(0, 0, n).select(1, position));
    inference.Step(state, sequences, sources, rows.data(), buffers_);
    for (int64_t i = 0; i < n; ++i) {
      const Floats row = RowsOf(rows, i, i + 1);
      outputs[i].insert(outputs[i].end(), row.begin(), row.end());
    }
  }
  ExpectNear(outputs[0], Forward(x[0], memory.slice(0, 0, 37)));
  ExpectNear(outputs[1], Forward(x[1], memory.slice(0, 37, 40)));
  ExpectNear(outputs[2], Forward(x[2], memory.slice(0, 0, 37)));
}

TEST_P(InferenceTest, GivesASequenceTheBitsItGetsAlone) {
  const DecoderInference inference(*SourceOf(*decoder_), "",
                                   DecoderOptions(Options(GetParam())));
  const Floats memory = ToFloats(torch::randn({12, kSize}));
  const std::vector<int64_t> offsets = {0, 5, 12}, second = {0, 7};
  const torch::Tensor x = torch::randn({4, 2, kSize});
  DecodingState both(inference, memory.data(), offsets);
  DecodingState alone(inference, memory.data() + 5 * kSize, second);
  const std::vector<int64_t> two = {both.Add(), both.Add()};
  const std::vector<int64_t> one = {alone.Add()};
  for (int64_t position = 0; position < 4; ++position) {
    Floats rows = ToFloats(x[position]);
    Floats row = ToFloats(x[position][1]);
    inference.Step(both, two, std::vector<int64_t>{0, 1}, rows.data(),
                   buffers_);
    inference.Step(alone, one, std::vector<int64_t>{0}, row.data(), buffers_);
    EXPECT_EQ(RowsOf(rows, 1, 2), row) << position;
  }
}

TEST_P(InferenceTest, DecodesTheSameWhenAskedForWeights) {
  const DecoderInference inference(*SourceOf(*decoder_), "",
                                   DecoderOptions(Options(GetParam())));
  const torch::Tensor memory = torch::randn({9, kSize});
  const torch::Tensor x = torch::randn({6, kSize});
  Floats rows = ToFloats(x);
  const DecoderWeights weights = inference.RunWithWeights(
      ToFloats(memory).data(), 9, rows.data(), 6, buffers_);
  ExpectNear(rows, Forward(x, memory));
  ASSERT_EQ(weights.self.size(), 2);
  ASSERT_EQ(weights.cross.size(), 2);
  EXPECT_EQ(weights.cross[1].values.size(), 3 * 6 * 9);
  // The first position sees itself alone.
  EXPECT_NEAR(weights.self[0].values[0], 1, 1e-6);
  EXPECT_EQ(weights.self[0].values[1], 0);
}

INSTANTIATE_TEST_SUITE_P(Activations, InferenceTest,
                         testing::Values(Activation::kGelu, Activation::kRelu));

}  // namespace
}  // namespace keylens::nn
