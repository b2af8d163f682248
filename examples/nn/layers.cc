// keylens/nn: attention as torch modules. A tiny classifier learns to find the
// one marked token of a sequence, and its attention weights show that it looks
// there.

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/linear.h>
#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <cstdio>

namespace nn = keylens::nn;

namespace {

constexpr int64_t kLen = 9;
constexpr int64_t kSize = 16;

// Names the class of a sequence from its first position.
struct FinderImpl : torch::nn::Module {
  FinderImpl() {
    nn::TransformerEncoderOptions options;
    options.hidden_size = kSize;
    options.num_heads = 2;
    options.num_layers = 1;
    encoder = register_module("encoder", nn::TransformerEncoder(options));
    answer = register_module("answer", nn::Linear(kSize, 4));
  }

  torch::Tensor forward(const torch::Tensor& x,
                        nn::AttentionRecorder* recorder = nullptr) {
    nn::TransformerEncoderCall call;
    call.recorder = recorder;
    return answer(encoder(x, call).select(1, 0));
  }

  nn::TransformerEncoder encoder = nullptr;
  nn::Linear answer = nullptr;
};
TORCH_MODULE(Finder);

struct Batch {
  torch::Tensor x, marked, label;
};

// Noise, with a mark in channel 0 of one token, whose channels 1 to 4 say the
// class.
Batch MakeBatch(int64_t size) {
  Batch batch{torch::randn({size, kLen, kSize}) * 0.3,
              torch::randint(1, kLen, {size}), torch::randint(4, {size})};
  const torch::Tensor row = torch::arange(size);
  batch.x.index_put_({row, batch.marked, torch::zeros({size}, torch::kInt64)},
                     2.0);
  batch.x.index_put_({row, batch.marked, batch.label + 1}, 2.0);
  return batch;
}

}  // namespace

int main() {
  torch::manual_seed(1);
  Finder finder;
  nn::NameAttentionLayers(*finder);
  torch::optim::Adam optimizer(finder->parameters(),
                               torch::optim::AdamOptions(3e-3));
  for (int step = 0; step < 400; ++step) {
    const Batch batch = MakeBatch(64);
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(finder(batch.x), batch.label)
        .backward();
    optimizer.step();
  }

  // A recorder is passed only where the weights are wanted.
  torch::NoGradGuard no_grad;
  const Batch batch = MakeBatch(100);
  nn::AttentionMaps maps;
  const torch::Tensor guess = finder(batch.x, &maps).argmax(-1);
  const nn::AttentionMaps::Entry& entry =
      maps.entries().at(0);  // [100, heads, kLen, kLen]
  const torch::Tensor looked_at = entry.weights.mean(1).select(1, 0).argmax(-1);
  const auto right = (guess == batch.label).sum().item<int64_t>();
  const auto seen = (looked_at == batch.marked).sum().item<int64_t>();
  std::printf("%s: %d of 100 right, and %d looked at the marked token\n",
              entry.layer.c_str(), static_cast<int>(right),
              static_cast<int>(seen));
  return right >= 95 && seen >= 90 ? 0 : 1;
}
