#include <keylens/nn/attention.h>
#include <keylens/nn/multi_head_attention.h>

namespace keylens::nn {

MultiHeadAttentionImpl::MultiHeadAttentionImpl(int64_t hidden_size,
                                               int64_t num_heads, bool bias)
    : hidden_size_(hidden_size), num_heads_(num_heads), bias_(bias) {
  if (num_heads <= 0 || hidden_size <= 0 || hidden_size % num_heads != 0) {
    throw std::invalid_argument(
        "MultiHeadAttention: hidden_size " + std::to_string(hidden_size) +
        " is not a multiple of num_heads " + std::to_string(num_heads));
  }
  reset();
}

void MultiHeadAttentionImpl::reset() {
  query = register_module("query", Linear(hidden_size_, hidden_size_, bias_));
  key = register_module("key", Linear(hidden_size_, hidden_size_, bias_));
  value = register_module("value", Linear(hidden_size_, hidden_size_, bias_));
  output = register_module("output", Linear(hidden_size_, hidden_size_, bias_));
}

torch::Tensor MultiHeadAttentionImpl::Heads(const torch::Tensor& x) const {
  return x.to(torch::kFloat32)
      .view({x.size(0), x.size(1), num_heads_, hidden_size_ / num_heads_})
      .transpose(1, 2);
}

torch::Tensor MultiHeadAttentionImpl::Attend(const torch::Tensor& x,
                                             const MultiHeadAttentionCall& call,
                                             AttentionReport* report) {
  const torch::Tensor& source = call.context.defined() ? call.context : x;
  AttentionFuncOptions options;
  options.mask = call.mask;
  options.sequences = call.sequences;
  options.report = report;
  const torch::Tensor heads = Attention(Heads(query(x)), Heads(key(source)),
                                        Heads(value(source)), options);
  if (report != nullptr && call.recorder != nullptr)
    call.recorder->Record(record_name, report->weights);
  // The heads of a position lie side by side in memory, as those of the query
  // do: no copy.
  return output(heads.transpose(1, 2)
                    .reshape({x.size(0), x.size(1), hidden_size_})
                    .to(x.scalar_type()));
}

torch::Tensor MultiHeadAttentionImpl::forward(const torch::Tensor& x,
                                              MultiHeadAttentionCall call) {
  call.recorder = Wanting(call.recorder);
  AttentionReport report;
  report.want_weights = true;
  return Attend(x, call, call.recorder != nullptr ? &report : nullptr);
}

std::tuple<torch::Tensor, torch::Tensor>
MultiHeadAttentionImpl::forward_with_weights(const torch::Tensor& x,
                                             MultiHeadAttentionCall call) {
  call.recorder = Wanting(call.recorder);
  AttentionReport report;
  report.want_weights = true;
  torch::Tensor result = Attend(x, call, &report);
  return {result, report.weights};
}

}  // namespace keylens::nn
