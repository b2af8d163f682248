#include "src/attention/workload.h"

#include <algorithm>
#include <random>

namespace keylens {
namespace {

constexpr int64_t kTop = 8;
constexpr int64_t kGroups = 16;

std::vector<float> Normal(int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(size));
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

std::vector<int32_t> GroupIds(int64_t len) {
  std::vector<int32_t> ids(static_cast<std::size_t>(len));
  for (int64_t i = 0; i < len; ++i) {
    ids[static_cast<std::size_t>(i)] = static_cast<int32_t>(i * kGroups / len);
  }
  return ids;
}

}  // namespace

AttentionWorkload::AttentionWorkload(const WorkloadShape& shape)
    : shape_(shape),
      query_(Normal(Rows() * shape.head_dim, 1)),
      key_(Normal(Keys() * shape.head_dim, 2)),
      value_(Normal(Keys() * shape.head_dim, 3)),
      out_grad_(Normal(Rows() * shape.head_dim, 4)),
      out_(query_.size()),
      logsumexp_(static_cast<std::size_t>(Rows())),
      query_grad_(query_.size()),
      key_grad_(key_.size()),
      value_grad_(value_.size()),
      entropy_(logsumexp_.size()),
      key_mass_(static_cast<std::size_t>(Keys())),
      top_keys_(logsumexp_.size() * kTop),
      top_weights_(logsumexp_.size() * kTop),
      query_group_(GroupIds(shape.query_len)),
      key_group_(GroupIds(shape.kv_len)),
      pooled_(static_cast<std::size_t>(shape.batch * shape.heads * kGroups *
                                       kGroups)),
      mask_(CausalMask(CausalAlignment::kTopLeft)) {
  if (shape.causal) options_.mask = mask_.get();
  options_.num_threads = shape.num_threads;
}

void AttentionWorkload::Forward() {
  AttentionForward(Inputs(), options_, Outputs());
}

void AttentionWorkload::Backward() {
  AttentionBackward<float>(
      Inputs(), options_, Outputs(), OfQuery(out_grad_),
      {OfQuery(query_grad_), OfKey(key_grad_), OfKey(value_grad_)});
}

void AttentionWorkload::ForwardAndInspect() {
  const Inspection inspection = Statistics();
  AttentionForward(Inputs(), options_, Outputs(), &inspection);
}

void AttentionWorkload::InspectAlone() {
  AttentionInspect(Inputs(), options_,
                   TensorView<const float, 3>(Outputs().logsumexp),
                   Statistics());
}

double AttentionWorkload::Operations(int products) const {
  return (shape_.causal ? 0.5 : 1.0) * 2.0 * products *
         static_cast<double>(Rows()) *
         static_cast<double>(shape_.kv_len * shape_.head_dim);
}

TensorView<float, 4> AttentionWorkload::OfQuery(
    std::vector<float>& data) const {
  return Contiguous(data.data(), {shape_.batch, shape_.heads, shape_.query_len,
                                  shape_.head_dim});
}

TensorView<float, 4> AttentionWorkload::OfKey(std::vector<float>& data) const {
  return Contiguous(data.data(), {shape_.batch, shape_.heads, shape_.kv_len,
                                  shape_.head_dim});
}

AttentionInputs<float> AttentionWorkload::Inputs() {
  return {OfQuery(query_), OfKey(key_), OfKey(value_)};
}

AttentionOutputs<float> AttentionWorkload::Outputs() {
  return {OfQuery(out_),
          Contiguous(logsumexp_.data(),
                     {shape_.batch, shape_.heads, shape_.query_len})};
}

Inspection AttentionWorkload::Statistics() {
  Inspection inspection;
  inspection.entropy = Contiguous(
      entropy_.data(), {shape_.batch, shape_.heads, shape_.query_len});
  inspection.key_mass =
      Contiguous(key_mass_.data(), {shape_.batch, shape_.heads, shape_.kv_len});
  inspection.top_keys = Contiguous(
      top_keys_.data(), {shape_.batch, shape_.heads, shape_.query_len, kTop});
  inspection.top_weights =
      Contiguous(top_weights_.data(),
                 {shape_.batch, shape_.heads, shape_.query_len, kTop});
  inspection.query_group = query_group_;
  inspection.key_group = key_group_;
  inspection.pooled = Contiguous(
      pooled_.data(), {shape_.batch, shape_.heads, kGroups, kGroups});
  return inspection;
}

}  // namespace keylens
