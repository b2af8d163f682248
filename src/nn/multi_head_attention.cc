#include <keylens/nn/attention.h>
#include <keylens/nn/multi_head_attention.h>

namespace keylens::nn {

namespace {

MultiHeadAttentionOptions SettledOptions(MultiHeadAttentionOptions options) {
  const int64_t size = options.hidden_size, heads = options.num_heads;
  const bool divides = heads > 0 && size > 0 && size % heads == 0;
  if (heads <= 0 || size <= 0 || (options.head_dim <= 0 && !divides)) {
    throw std::invalid_argument(
        "MultiHeadAttention: hidden_size " + std::to_string(size) +
        " is not a multiple of num_heads " + std::to_string(heads));
  }
  if (options.head_dim == 0) options.head_dim = size / heads;
  if (options.memory_size == 0) options.memory_size = size;
  return options;
}

}  // namespace

MultiHeadAttentionImpl::MultiHeadAttentionImpl(
    MultiHeadAttentionOptions options)
    : options_(SettledOptions(options)) {
  reset();
}

MultiHeadAttentionImpl::MultiHeadAttentionImpl(int64_t hidden_size,
                                               int64_t num_heads, bool bias)
    : MultiHeadAttentionImpl(MultiHeadAttentionOptions{
          hidden_size, num_heads, /*head_dim=*/0, /*memory_size=*/0,
          /*qkv_bias=*/bias, /*output_bias=*/bias}) {}

void MultiHeadAttentionImpl::reset() {
  const int64_t size = options_.hidden_size, memory = options_.memory_size,
                width = options_.num_heads * options_.head_dim;
  const bool bias = options_.qkv_bias;
  query = register_module("query", Linear(size, width, bias));
  key = register_module("key", Linear(memory, width, bias));
  value = register_module("value", Linear(memory, width, bias));
  output = register_module("output", Linear(width, size, options_.output_bias));
}

torch::Tensor MultiHeadAttentionImpl::Heads(const torch::Tensor& x) const {
  return x.to(torch::kFloat32)
      .view({x.size(0), x.size(1), options_.num_heads, options_.head_dim})
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
  // In this order: the backward pass adds what they give to x in the reverse
  // one, and its last bits are the model's.
  const torch::Tensor values = Heads(value(source)), keys = Heads(key(source)),
                      queries = Heads(query(x));
  const torch::Tensor heads = Attention(queries, keys, values, options);
  if (report != nullptr && call.recorder != nullptr) {
    call.recorder->RecordCall(record_name, {queries, keys, values, heads});
    call.recorder->Record(record_name, report->weights);
  }
  // The heads of a position lie side by side in memory, as those of the query
  // do: no copy.
  return output(heads.transpose(1, 2)
                    .reshape({x.size(0), x.size(1),
                              options_.num_heads * options_.head_dim})
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
