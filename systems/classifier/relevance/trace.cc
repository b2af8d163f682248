#include "systems/classifier/relevance/trace.h"

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/attention_relevance.h>

#include <string>
#include <utility>

namespace keylens::classifier {
namespace {

// The attentions of one pass, kept until the gradients by their outputs are
// known.
class Tape : public nn::AttentionRecorder {
 public:
  void RecordCall(const std::string&, const nn::RecordedCall& call) override {
    calls.push_back(call);
  }
  void Record(const std::string&, const torch::Tensor& layer) override {
    weights.push_back(layer.squeeze(0));
  }

  std::vector<nn::RecordedCall> calls;
  std::vector<torch::Tensor> weights;  // [heads, tokens, tokens]
};

torch::Tensor Identity(int64_t size) {
  return torch::eye(size, torch::kFloat64);
}

// Mean over the heads of [heads, tokens, tokens].
torch::Tensor HeadMean(const torch::Tensor& maps) {
  return maps.to(torch::kFloat64).mean(0);
}

}  // namespace

Trace TracePicture(ClassifierModelImpl& model, const torch::Tensor& picture,
                   int64_t target) {
  const torch::AutoGradMode with_gradients(true);
  Tape tape;
  nn::TransformerCall call;
  call.recorder = &tape;
  const torch::Tensor tokens =
      model.encoder->forward(model.Embed(picture), call);
  const torch::Tensor logits = model.Logits(tokens.select(1, 0)).squeeze(0);
  if (target < 0) target = logits.argmax().item<int64_t>();

  std::vector<torch::Tensor> outputs;
  for (const nn::RecordedCall& layer : tape.calls) outputs.push_back(layer.out);
  const auto gradients = torch::autograd::grad({logits[target]}, outputs);
  Trace trace{logits.detach(), std::move(tape.weights), {}};
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const nn::RecordedCall& layer = tape.calls[i];
    trace.relevance.push_back(
        nn::AttentionRelevance(layer.query.detach(), layer.key.detach(),
                               layer.value.detach(), gradients[i])
            .squeeze(0));
  }
  return trace;
}

torch::Tensor Rollout(const std::vector<torch::Tensor>& weights) {
  torch::Tensor product = Identity(weights.at(0).size(1));
  for (const torch::Tensor& layer : weights) {
    const torch::Tensor flow =
        0.5 * HeadMean(layer) + 0.5 * Identity(layer.size(1));
    product = flow.mm(product);
  }
  return product[0];
}

torch::Tensor Relevance(const std::vector<torch::Tensor>& relevance) {
  torch::Tensor sum = Identity(relevance.at(0).size(1));
  for (const torch::Tensor& layer : relevance)
    sum = sum + HeadMean(layer).mm(sum);
  return (sum - Identity(sum.size(0)))[0];
}

}  // namespace keylens::classifier
