#include "src/weights/tensor_list.h"

#include <utility>

namespace keylens {
namespace {

std::string LayerName(const std::string& stack, int64_t layer) {
  return stack + ".layers." + std::to_string(layer);
}

}  // namespace

void TensorList::WeightAndBias(const std::string& name,
                               std::vector<int64_t> shape, int64_t bias) {
  Add(name + ".weight", std::move(shape));
  if (bias > 0) Add(name + ".bias", {bias});
}

void TensorList::Attention(const std::string& name, int64_t hidden) {
  for (const char* part : {".query", ".key", ".value", ".output"})
    Linear(name + part, hidden, hidden);
}

void TensorList::FeedForward(const std::string& layer, int64_t hidden,
                             int64_t mlp) {
  Linear(layer + ".linear1", hidden, mlp);
  Linear(layer + ".linear2", mlp, hidden);
}

void TensorList::EncoderStack(const std::string& name, int64_t layers,
                              int64_t hidden, int64_t mlp) {
  for (int64_t i = 0; i < layers; ++i) {
    const std::string layer = LayerName(name, i);
    Attention(layer + ".attention", hidden);
    FeedForward(layer, hidden, mlp);
    Norm(layer + ".norm1", hidden);
    Norm(layer + ".norm2", hidden);
  }
  Norm(name + ".norm", hidden);
}

void TensorList::DecoderStack(const std::string& name, int64_t layers,
                              int64_t hidden, int64_t mlp) {
  for (int64_t i = 0; i < layers; ++i) {
    const std::string layer = LayerName(name, i);
    Attention(layer + ".self_attention", hidden);
    Attention(layer + ".cross_attention", hidden);
    FeedForward(layer, hidden, mlp);
    for (const char* norm : {".norm1", ".norm2", ".norm3"})
      Norm(layer + norm, hidden);
  }
  Norm(name + ".norm", hidden);
}

}  // namespace keylens
