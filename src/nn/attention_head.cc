#include <keylens/nn/attention.h>
#include <keylens/nn/attention_head.h>

namespace keylens::nn {

AttentionHeadImpl::AttentionHeadImpl(int64_t hidden_size,
                                     int64_t attention_head_size, bool bias)
    : hidden_size_(hidden_size),
      attention_head_size_(attention_head_size),
      bias_(bias) {
  reset();
}

void AttentionHeadImpl::reset() {
  query = register_module("query",
                          Linear(hidden_size_, attention_head_size_, bias_));
  key =
      register_module("key", Linear(hidden_size_, attention_head_size_, bias_));
  value = register_module("value",
                          Linear(hidden_size_, attention_head_size_, bias_));
}

std::tuple<torch::Tensor, torch::Tensor> AttentionHeadImpl::forward(
    const torch::Tensor& x, AttentionRecorder* recorder) {
  AttentionReport report;
  report.want_weights = true;
  AttentionFuncOptions options;
  options.report = &report;
  const torch::Tensor output =
      Attention(query(x).unsqueeze(1), key(x).unsqueeze(1),
                value(x).unsqueeze(1), options)
          .squeeze(1);
  if (AttentionRecorder* wanting = Wanting(recorder))
    wanting->Record(record_name, report.weights);
  return {output, report.weights.squeeze(1)};
}

}  // namespace keylens::nn
