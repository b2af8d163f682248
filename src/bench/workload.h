#ifndef KEYLENS_SRC_BENCH_WORKLOAD_H_
#define KEYLENS_SRC_BENCH_WORKLOAD_H_

#include <keylens/key_value_cache.h>

#include <cstdint>
#include <memory>
#include <string>

// What benchmarks time: calls on normally distributed inputs, with buffers for
// every output and statistic.

namespace keylens {

struct WorkloadShape {
  int64_t batch = 1;
  int64_t heads = 8;
  int64_t kv_heads = 0;  // 0: as heads
  int64_t query_len = 1024;
  int64_t kv_len = 1024;
  int64_t head_dim = 64;
  int64_t value_dim = 0;  // 0: as head_dim
  // "none", "causal", "window:LEFT", "prefix:LENGTH", "documents:LENGTH" (as
  // long as that each), "padding" (the last quarter of the keys)
  std::string mask = "none";
  bool channels_first = false;  // head_dim outermost of the last two axes
  int num_threads = 0;          // as in AttentionOptions
};

class AttentionWorkload {
 public:
  virtual ~AttentionWorkload() = default;

  virtual void Forward() = 0;
  virtual void Backward() = 0;  // after Forward

  // Entropy, key_mass, the top 8 keys and a pooled map of 16 x 16 or 32 x 32
  // groups, in the forward pass or from its logsumexp.
  virtual void ForwardAndInspect() = 0;
  virtual void InspectAlone() = 0;
  // The forward pass with the dense weights of 64 rows of each head.
  virtual void ForwardWithWeights() = 0;

  // Floating-point operations of the scores' products in a forward pass, or in
  // a backward pass; of masked scores, none.
  virtual double ForwardOperations() const = 0;
  virtual double BackwardOperations() const = 0;
};

// T is float, BFloat16 or Float16. Throws std::invalid_argument for a mask that
// is none of the above.
template <typename T>
std::unique_ptr<AttentionWorkload> MakeWorkload(const WorkloadShape& shape,
                                                int64_t pooled_groups = 16);

// One query of each head against a long cache.
class DecodeWorkload {
 public:
  // shape.query_len, mask and channels_first are not used.
  DecodeWorkload(const WorkloadShape& shape, CacheElement element);
  ~DecodeWorkload();

  // Reads another sequence each time, all of them together too large for any
  // cache.
  void Decode();

  // What one Decode reads, in bytes.
  double Bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_BENCH_WORKLOAD_H_
