#include "systems/classifier/looking/trace.h"

#include <keylens/nn/attention.h>
#include <keylens/nn/attention_relevance.h>

namespace keylens::classifier {
namespace {

// One attention, kept until the gradient by its output is known.
struct Attended {
  torch::Tensor query, key, value;  // [1, heads, tokens, head size]
  torch::Tensor out;                // the same shape
  torch::Tensor weights;            // [1, heads, tokens, tokens]
};

// [1, tokens, hidden] as heads: [1, heads, tokens, head size].
torch::Tensor Heads(const torch::Tensor& x, int64_t heads) {
  return x.view({1, x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Attended Attend(nn::MultiHeadAttentionImpl& attention, const torch::Tensor& x,
                int64_t heads) {
  nn::AttentionReport report;
  report.want_weights = true;
  nn::AttentionFuncOptions options;
  options.report = &report;
  Attended attended;
  attended.query = Heads(attention.query(x), heads);
  attended.key = Heads(attention.key(x), heads);
  attended.value = Heads(attention.value(x), heads);
  attended.out =
      nn::Attention(attended.query, attended.key, attended.value, options);
  attended.weights = report.weights;
  return attended;
}

// What TransformerEncoderLayer does, step by step.
torch::Tensor RunLayer(nn::TransformerEncoderLayerImpl& layer,
                       const torch::Tensor& x, int64_t heads,
                       Attended& attended) {
  attended = Attend(*layer.attention, layer.norm1(x), heads);
  const torch::Tensor merged =
      attended.out.transpose(1, 2).reshape({1, x.size(1), x.size(2)});
  const torch::Tensor middle = x + layer.attention->output(merged);
  return middle +
         layer.linear2(torch::gelu(layer.linear1(layer.norm2(middle))));
}

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
  const int64_t heads = model.config().num_attention_heads;
  std::vector<Attended> layers(model.encoder->layers->size());
  torch::Tensor tokens = model.Embed(picture);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    auto& layer =
        *model.encoder->layers[i]->as<nn::TransformerEncoderLayerImpl>();
    tokens = RunLayer(layer, tokens, heads, layers[i]);
  }
  const torch::Tensor logits =
      model.Logits(model.encoder->norm(tokens).select(1, 0)).squeeze(0);
  if (target < 0) target = logits.argmax().item<int64_t>();

  std::vector<torch::Tensor> outputs;
  for (const Attended& layer : layers) outputs.push_back(layer.out);
  const auto gradients = torch::autograd::grad({logits[target]}, outputs);
  Trace trace;
  trace.logits = logits.detach();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Attended& layer = layers[i];
    trace.weights.push_back(layer.weights.squeeze(0));
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
