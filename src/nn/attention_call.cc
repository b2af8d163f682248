#include "src/nn/attention_call.h"

#include <keylens/attention.h>
#include <keylens/packed_sequences.h>

#include "src/nn/strided.h"

namespace keylens::nn {
namespace {

AttentionInputs<float> InputViews(const AttentionTensors& inputs) {
  return {ViewOf<const float, 4>(inputs.query),
          ViewOf<const float, 4>(inputs.key),
          ViewOf<const float, 4>(inputs.value)};
}

// The engine's options; what they point to is owned by `options`.
AttentionOptions EngineOptions(const AttentionFuncOptions& options) {
  AttentionOptions engine;
  if (options.scale) engine.scale = static_cast<float>(*options.scale);
  engine.mask = options.mask.get();
  for (const auto& mod : options.score_mods)
    engine.score_mods.push_back(mod.get());
  engine.num_threads =
      options.num_threads == 0 ? at::get_num_threads() : options.num_threads;
  return engine;
}

// Allocates the answers that were asked for. Shapes that disagree are left to
// the engine to refuse.
Inspection PrepareReport(const AttentionTensors& inputs,
                         AttentionReport* report) {
  const int64_t batch = inputs.query.size(0), heads = inputs.query.size(1),
                query_len = inputs.query.size(2);
  const int64_t kv_len = inputs.key.size(2), top = report->want_top_keys;
  if (report->want_weights)
    report->weights = at::empty({batch, heads, query_len, kv_len});
  if (report->want_entropy)
    report->entropy = at::empty({batch, heads, query_len});
  if (report->want_key_mass)
    report->key_mass = at::empty({batch, heads, kv_len});
  if (top != 0) {
    TORCH_CHECK(top > 0, "Attention: want_top_keys is ", top,
                "; ask for at least 1");
    report->top_keys = at::empty({batch, heads, query_len, top}, torch::kInt64);
    report->top_weights = at::empty({batch, heads, query_len, top});
  }
  Inspection inspection;
  inspection.weights = ViewOf<float, 4>(report->weights);
  inspection.entropy = ViewOf<float, 3>(report->entropy);
  inspection.key_mass = ViewOf<float, 3>(report->key_mass);
  inspection.top_keys = ViewOf<int64_t, 4>(report->top_keys);
  inspection.top_weights = ViewOf<float, 4>(report->top_weights);
  return inspection;
}

SequenceOffsets OffsetsOf(const PackedOffsets& sequences) {
  return {sequences.query, sequences.key};
}

struct OptionsHolder : torch::CustomClassHolder {
  explicit OptionsHolder(const AttentionFuncOptions& options)
      : options(options) {
    this->options.report = nullptr;
  }
  AttentionFuncOptions options;
};

}  // namespace

void RunForward(const AttentionTensors& inputs,
                const AttentionFuncOptions& options, const torch::Tensor& out,
                const torch::Tensor& logsumexp) {
  const AttentionOutputs<float> outputs{ViewOf<float, 4>(out),
                                        ViewOf<float, 3>(logsumexp)};
  if (options.sequences != nullptr) {
    TORCH_CHECK(options.report == nullptr,
                "Attention: packed sequences have no report; give them as a "
                "batch with a KeyPaddingMask");
    AttentionForwardPacked<float>(InputViews(inputs),
                                  OffsetsOf(*options.sequences),
                                  EngineOptions(options), outputs);
    return;
  }
  if (options.report == nullptr) {
    AttentionForward<float>(InputViews(inputs), EngineOptions(options),
                            outputs);
    return;
  }
  const Inspection inspection = PrepareReport(inputs, options.report);
  AttentionForward<float>(InputViews(inputs), EngineOptions(options), outputs,
                          &inspection);
}

void RunBackward(const AttentionTensors& inputs,
                 const AttentionFuncOptions& options, const torch::Tensor& out,
                 const torch::Tensor& logsumexp, const torch::Tensor& out_grad,
                 const AttentionTensors& gradients) {
  const AttentionOutputs<float> forward{ViewOf<float, 4>(out),
                                        ViewOf<float, 3>(logsumexp)};
  const AttentionGradients<float> views{
      .query = ViewOf<float, 4>(gradients.query),
      .key = ViewOf<float, 4>(gradients.key),
      .value = ViewOf<float, 4>(gradients.value)};
  if (options.sequences != nullptr) {
    AttentionBackwardPacked<float>(InputViews(inputs),
                                   OffsetsOf(*options.sequences),
                                   EngineOptions(options), forward,
                                   ViewOf<const float, 4>(out_grad), views);
    return;
  }
  AttentionBackward<float>(InputViews(inputs), EngineOptions(options), forward,
                           ViewOf<const float, 4>(out_grad), views);
}

void RunRelevance(const AttentionTensors& inputs,
                  const AttentionFuncOptions& options, const torch::Tensor& out,
                  const torch::Tensor& logsumexp, const torch::Tensor& out_grad,
                  std::span<const int32_t> query_group,
                  std::span<const int32_t> key_group,
                  const torch::Tensor& relevance) {
  AttentionBackward<float>(InputViews(inputs), EngineOptions(options),
                           {ViewOf<float, 4>(out), ViewOf<float, 3>(logsumexp)},
                           ViewOf<const float, 4>(out_grad),
                           {.query_group = query_group,
                            .key_group = key_group,
                            .relevance = ViewOf<float, 4>(relevance)});
}

c10::IValue KeepOptions(const AttentionFuncOptions& options) {
  return c10::IValue::make_capsule(c10::make_intrusive<OptionsHolder>(options));
}

const AttentionFuncOptions& KeptOptions(const c10::IValue& kept) {
  return static_cast<const OptionsHolder&>(*kept.toCapsule()).options;
}

}  // namespace keylens::nn
