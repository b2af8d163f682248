#ifndef KEYLENS_SRC_ATTENTION_WORKLOAD_H_
#define KEYLENS_SRC_ATTENTION_WORKLOAD_H_

#include <keylens/engine.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace keylens {

struct WorkloadShape {
  int64_t batch;
  int64_t heads;
  int64_t query_len;
  int64_t kv_len;
  int64_t head_dim;
  bool causal = false;
  int num_threads = 0;  // as in AttentionOptions
};

// One shape of attention on normally distributed inputs, with buffers for every
// output and statistic: what benchmarks time.
class AttentionWorkload {
 public:
  explicit AttentionWorkload(const WorkloadShape& shape);

  void Forward();
  void Backward();  // after Forward

  // Entropy, key_mass, the top 8 keys and a 16 x 16 pooled map, in the forward
  // pass or from its logsumexp.
  void ForwardAndInspect();
  void InspectAlone();

  // Floating-point operations of `products` matrix products of scores' size:
  // 2 in a forward pass, 5 in a backward pass. A causal mask leaves half.
  double Operations(int products) const;

 private:
  int64_t Rows() const {
    return shape_.batch * shape_.heads * shape_.query_len;
  }
  int64_t Keys() const { return shape_.batch * shape_.heads * shape_.kv_len; }
  TensorView<float, 4> OfQuery(std::vector<float>& data) const;
  TensorView<float, 4> OfKey(std::vector<float>& data) const;
  AttentionInputs<float> Inputs();
  AttentionOutputs<float> Outputs();
  Inspection Statistics();

  WorkloadShape shape_;
  std::vector<float> query_, key_, value_, out_grad_;
  std::vector<float> out_, logsumexp_;
  std::vector<float> query_grad_, key_grad_, value_grad_;
  std::vector<float> entropy_, key_mass_;
  std::vector<int64_t> top_keys_;
  std::vector<float> top_weights_;
  std::vector<int32_t> query_group_, key_group_;
  std::vector<float> pooled_;
  std::unique_ptr<Mask> mask_;
  AttentionOptions options_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_ATTENTION_WORKLOAD_H_
