// PyTorch's CPU library beside us: torch_peer THREADS composed|fused
//
// `composed` is softmax(query key^T) value, which holds all weights; `fused` is
// scaled_dot_product_attention, which version 2 has.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

#include <cmath>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "benchmarks/peers/peer.h"

namespace keylens::peers {
namespace {

at::Tensor Composed(const at::Tensor& query, const at::Tensor& key,
                    const at::Tensor& value) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
  return at::matmul(
      at::softmax(at::matmul(query * scale, key.transpose(-2, -1)), -1), value);
}

#if TORCH_VERSION_MAJOR >= 2
at::Tensor Fused(const at::Tensor& query, const at::Tensor& key,
                 const at::Tensor& value) {
  return at::scaled_dot_product_attention(query, key, value);
}
#else
at::Tensor Fused(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
  throw std::invalid_argument("torch before 2 has no fused attention");
}
#endif

using Attention = at::Tensor (*)(const at::Tensor&, const at::Tensor&,
                                 const at::Tensor&);

class TorchPeer final : public Peer {
 public:
  explicit TorchPeer(Attention attention) : attention_(attention) {}

  void Load(Problem problem) override {
    const auto tensor = [&](std::vector<float>& data) {
      return at::from_blob(data.data(),
                           {1, problem.heads, problem.len, problem.dim})
          .clone();
    };
    query_ = tensor(problem.query);
    key_ = tensor(problem.key);
    value_ = tensor(problem.value);
  }

  void Run() override { out_ = attention_(query_, key_, value_); }

  std::vector<float> Output() const override {
    const at::Tensor dense = out_.contiguous();
    const float* data = dense.data_ptr<float>();
    return {data, data + dense.numel()};
  }

 private:
  Attention attention_;
  at::Tensor query_, key_, value_, out_;
};

Attention AttentionOf(int argc, char** argv) {
  const std::string name = argc > 2 ? argv[2] : "";
  if (name == "composed") return Composed;
  if (name == "fused") return Fused;
  throw std::invalid_argument("the second argument is composed or fused");
}

}  // namespace
}  // namespace keylens::peers

int main(int argc, char** argv) {
  try {
    const c10::InferenceMode no_gradients;
    at::set_num_threads(keylens::peers::ThreadsOf(argc, argv));
    keylens::peers::TorchPeer peer(keylens::peers::AttentionOf(argc, argv));
    return keylens::peers::Serve(peer);
  } catch (const std::exception& error) {
    std::cerr << "torch_peer: " << error.what() << '\n';
    return 2;
  }
}
