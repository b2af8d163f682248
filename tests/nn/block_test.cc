// Both executors of a Transformer's layers against torch composed of plain
// operations in double, for every combination of what BlockOptions can say.

#include <gtest/gtest.h>
#include <keylens/nn/transformer_block.h>
#include <torch/torch.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "src/nn/inference/decoder.h"
#include "src/nn/inference/encoder.h"
#include "src/nn/state_dict.h"
#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

constexpr int64_t kSize = 21, kHeads = 3, kHeadDim = 5, kInner = 19, kLen = 7,
                  kMemoryLen = 4, kMemorySize = 11;
constexpr double kEps = 1e-3;  // one that shows

// The network in plain operations on the module's weights.
class Plain {
 public:
  Plain(const torch::nn::Module& module, const BlockOptions& options)
      : options_(options) {
    for (const auto& item : module.named_parameters())
      state_[item.key()] = item.value().detach().to(torch::kFloat64);
  }

  torch::Tensor Run(torch::Tensor x, const torch::Tensor& memory) {
    x = x.to(torch::kFloat64);
    for (int64_t i = 0; i < options_.num_layers; ++i)
      x = Layer(x, memory, "layers." + std::to_string(i) + ".");
    return options_.final_norm ? Norm(x, "norm") : x;
  }

  std::vector<torch::Tensor> self, cross;  // weights of each layer

 private:
  torch::Tensor Layer(torch::Tensor x, const torch::Tensor& memory,
                      const std::string& at) {
    const bool crosses = options_.cross_attention;
    const auto branch = [&](int number, const auto& make) {
      const std::string norm = at + "norm" + std::to_string(number);
      const bool before = options_.norm == NormPlacement::kPre;
      torch::Tensor result = make(before ? Norm(x, norm) : x);
      if (options_.layer_scale != 0)
        result =
            result * state_.at(at + "layer_scale" + std::to_string(number));
      x = before ? x + result : Norm(x + result, norm);
    };
    branch(1, [&](const torch::Tensor& input) {
      return Attend(input, input,
                    at + (crosses ? "self_attention" : "attention"),
                    options_.causal, self);
    });
    if (crosses) {
      branch(2, [&](const torch::Tensor& input) {
        return Attend(input, memory.to(torch::kFloat64), at + "cross_attention",
                      false, cross);
      });
    }
    branch(crosses ? 3 : 2, [&](const torch::Tensor& input) {
      return Linear(Activate(Linear(input, at + "linear1")), at + "linear2");
    });
    return x;
  }

  torch::Tensor Norm(const torch::Tensor& x, const std::string& name) {
    return torch::layer_norm(x, {kSize}, state_.at(name + ".weight"),
                             state_.at(name + ".bias"), options_.eps);
  }

  torch::Tensor Linear(const torch::Tensor& x, const std::string& name) {
    const torch::Tensor product = x.matmul(state_.at(name + ".weight").t());
    const auto bias = state_.find(name + ".bias");
    return bias == state_.end() ? product : product + bias->second;
  }

  torch::Tensor Attend(const torch::Tensor& x, const torch::Tensor& source,
                       const std::string& at, bool causal,
                       std::vector<torch::Tensor>& weights) {
    const auto heads = [&](const torch::Tensor& from, const char* name) {
      return Linear(from, at + "." + name)
          .view({from.size(0), kHeads, kHeadDim})
          .transpose(0, 1)
          .unsqueeze(0);
    };
    torch::Tensor live;
    if (causal) live = torch::ones({kLen, kLen}, torch::kBool).tril();
    const ComposedAttention attended =
        Compose(heads(x, "query"), heads(source, "key"), heads(source, "value"),
                1 / std::sqrt(static_cast<double>(kHeadDim)), live);
    weights.push_back(attended.weights.squeeze(0));
    return Linear(
        attended.out.squeeze(0).transpose(0, 1).reshape({x.size(0), -1}),
        at + ".output");
  }

  torch::Tensor Activate(const torch::Tensor& x) const {
    const auto half = [&](int64_t i) {
      return x.narrow(-1, i * kInner, kInner);
    };
    const auto gelu = [](const torch::Tensor& z) {
      return 0.5 * z * (1 + torch::erf(z / std::sqrt(2.0)));
    };
    const auto silu = [](const torch::Tensor& z) {
      return z / (1 + torch::exp(-z));
    };
    switch (options_.activation) {
      case Activation::kRelu:
        return x.clamp_min(0);
      case Activation::kGelu:
        return gelu(x);
      case Activation::kGeluTanh:
        return 0.5 * x *
               (1 +
                torch::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      case Activation::kQuickGelu:
        return x / (1 + torch::exp(-1.702 * x));
      case Activation::kSilu:
        return silu(x);
      case Activation::kGeglu:
        return half(0) * gelu(half(1));
      case Activation::kSwiglu:
        return silu(half(0)) * half(1);
    }
    return {};
  }

  BlockOptions options_;
  std::map<std::string, torch::Tensor> state_;
};

using Floats = std::vector<float>;

Floats ToFloats(const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.detach().contiguous();
  return {dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel()};
}

// activation, post-norm, biases, layer scale, causal.
using Combination = std::tuple<int, bool, bool, bool, bool>;

class BlockTest : public testing::TestWithParam<Combination> {
 protected:
  BlockTest() {
    const auto [activation, post, biases, scaled, causal] = GetParam();
    options_.hidden_size = kSize;
    options_.num_heads = kHeads;
    options_.head_dim = kHeadDim;
    options_.mlp_size = kInner;
    options_.num_layers = 2;
    options_.activation = static_cast<Activation>(activation);
    options_.norm = post ? NormPlacement::kPost : NormPlacement::kPre;
    options_.final_norm = !post;
    options_.eps = kEps;
    options_.qkv_bias = options_.output_bias = options_.mlp_bias = biases;
    options_.layer_scale = scaled ? 0.5 : 0;
    options_.causal = causal;
    torch::manual_seed(5);
    x_ = torch::randn({kLen, kSize});
    memory_ = torch::randn({kMemoryLen, kMemorySize});
  }

  TransformerStack Stack() const {
    TransformerStack stack(options_);
    const torch::NoGradGuard no_grad;
    for (torch::Tensor& parameter : stack->parameters())
      parameter.add_(torch::randn_like(parameter) * 0.2);
    stack->eval();
    return stack;
  }

  static void ExpectSame(const torch::Tensor& got,
                         const torch::Tensor& wanted) {
    EXPECT_LT(RelativeError(got, wanted), 1e-5);
  }

  static torch::Tensor Rows(const Floats& values, int64_t rows) {
    return torch::tensor(values).view({-1, kSize}).narrow(0, 0, rows);
  }

  static void ExpectWeights(const std::vector<AttentionWeights>& got,
                            const std::vector<torch::Tensor>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ExpectSame(torch::tensor(got[i].values)
                     .view({got[i].heads, got[i].query_len, got[i].kv_len}),
                 wanted[i]);
    }
  }

  BlockOptions options_;
  torch::Tensor x_, memory_;
  InferenceBuffers buffers_;
};

TEST_P(BlockTest, BothExecutorsEncodeAsPlainOperationsDo) {
  TransformerStack stack = Stack();
  Plain plain(*stack, options_);
  const torch::Tensor wanted = plain.Run(x_, {});
  const torch::NoGradGuard no_grad;
  ExpectSame(stack(x_.unsqueeze(0)).squeeze(0), wanted);
  const EncoderInference inference(*SourceOf(*stack), "", options_);
  // The sequence, and it once more behind another.
  Floats rows = ToFloats(torch::cat({x_, x_.narrow(0, 0, 2), x_}));
  const std::vector<int64_t> offsets = {0, kLen, kLen + 2, 2 * kLen + 2};
  inference.Run(rows.data(), offsets, buffers_);
  ExpectSame(Rows(rows, kLen), wanted);
  ExpectSame(torch::tensor(rows).view({-1, kSize}).narrow(0, kLen + 2, kLen),
             wanted);
  Floats seen = ToFloats(x_);
  const auto weights = inference.RunWithWeights(seen.data(), kLen, buffers_);
  ExpectSame(Rows(seen, kLen), wanted);
  ExpectWeights(weights, plain.self);
}

TEST_P(BlockTest, RunARangeOfRowsAlone) {
  TransformerStack stack = Stack();
  Plain plain(*stack, options_);
  const torch::Tensor wanted = plain.Run(x_, {});
  const torch::NoGradGuard no_grad;
  const EncoderInference inference(*SourceOf(*stack), "", options_);
  for (const RowRange range : {RowRange{0, 1}, RowRange{2, 5}, RowRange{3}}) {
    const int64_t end = range.end < 0 ? kLen : range.end;
    const int64_t count = end - range.begin;
    const torch::Tensor part = wanted.narrow(0, range.begin, count);
    TransformerCall call;
    call.rows = range;
    ExpectSame(stack(x_.unsqueeze(0), call).squeeze(0), part);
    Floats rows = ToFloats(torch::cat({x_, x_}));
    const std::vector<int64_t> offsets = {0, kLen, 2 * kLen};
    inference.Run(rows.data(), offsets, buffers_, range);
    ExpectSame(Rows(rows, count), part);
    ExpectSame(torch::tensor(rows).view({-1, kSize}).narrow(0, count, count),
               part);
    Floats seen = ToFloats(x_);
    const auto weights =
        inference.RunWithWeights(seen.data(), kLen, buffers_, range);
    const int64_t keys = weights.back().kv_len;
    EXPECT_EQ(weights.back().query_len, count);
    ExpectSame(
        torch::tensor(weights.back().values).view({kHeads, count, keys}),
        plain.self.back().narrow(1, range.begin, count).narrow(2, 0, keys));
  }
}

TEST_P(BlockTest, BothExecutorsLookAcrossAsPlainOperationsDo) {
  options_.cross_attention = true;
  options_.memory_size = kMemorySize;
  TransformerStack stack = Stack();
  Plain plain(*stack, options_);
  const torch::Tensor wanted = plain.Run(x_, memory_);
  const torch::NoGradGuard no_grad;
  TransformerCall call;
  call.memory = memory_.unsqueeze(0);
  ExpectSame(stack(x_.unsqueeze(0), call).squeeze(0), wanted);
  const DecoderInference inference(*SourceOf(*stack), "", options_);
  Floats rows = ToFloats(x_);
  const Floats memory = ToFloats(memory_);
  const DecoderWeights weights = inference.RunWithWeights(
      memory.data(), kMemoryLen, rows.data(), kLen, buffers_);
  ExpectSame(Rows(rows, kLen), wanted);
  ExpectWeights(weights.self, plain.self);
  ExpectWeights(weights.cross, plain.cross);
  if (!options_.causal) return;
  const std::vector<int64_t> offsets = {0, kMemoryLen};
  DecodingState state(inference, memory.data(), offsets);
  const std::vector<int64_t> sequence = {state.Add()}, source = {0};
  for (int64_t position = 0; position < kLen; ++position) {
    Floats row = ToFloats(x_[position]);
    inference.Step(state, sequence, source, row.data(), buffers_);
    ExpectSame(torch::tensor(row), wanted[position]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BlockTest,
                         testing::Combine(testing::Range(0, 7), testing::Bool(),
                                          testing::Bool(), testing::Bool(),
                                          testing::Bool()));

TEST(TransformerBlock, RefusesRowsThatAreNotThere) {
  BlockOptions options;
  options.hidden_size = 8;
  options.num_heads = 2;
  options.num_layers = 1;
  TransformerStack stack(options);
  TransformerCall call;
  call.rows = {3, 2};
  EXPECT_THROW(stack(torch::randn({1, 4, 8}), call), std::invalid_argument);
  call.rows = {0, 5};
  EXPECT_THROW(stack(torch::randn({1, 4, 8}), call), std::invalid_argument);
  options.num_heads = 3;
  EXPECT_THROW(TransformerStack{options}, std::invalid_argument);
}

}  // namespace
}  // namespace keylens::nn
