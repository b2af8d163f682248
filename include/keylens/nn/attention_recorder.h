#ifndef KEYLENS_NN_ATTENTION_RECORDER_H_
#define KEYLENS_NN_ATTENTION_RECORDER_H_

#include <torch/torch.h>

#include <string>
#include <vector>

namespace keylens::nn {

// What one attention took and gave, [batch, heads, len, head_dim] each, as
// parts of the graph: gradients by them can be asked for.
struct RecordedCall {
  torch::Tensor query, key, value, out;
};

// Takes the attention weights of the layers that a forward call runs through.
//
// A recorder is passed down as a pointer, beside the inputs; null records
// nothing and costs nothing. Layers keep no reference to it, so two threads
// that run one model at once each bring their own and need no lock.
class AttentionRecorder {
 public:
  virtual ~AttentionRecorder() = default;

  // Whether `layer` should produce its weights at all.
  virtual bool Wants(const std::string& layer) const;

  // weights: [batch, heads, query_len, kv_len], detached, owned by whoever
  // keeps it. For a feature map the queries are its positions, row by row.
  virtual void Record(const std::string& layer,
                      const torch::Tensor& weights) = 0;

  // Comes before Record; MultiHeadAttention has it.
  virtual void RecordCall(const std::string& layer, const RecordedCall& call);
};

// Keeps everything, in the order of the calls.
class AttentionMaps : public AttentionRecorder {
 public:
  struct Entry {
    std::string layer;
    int64_t step = 0;
    torch::Tensor weights;  // [batch, heads, query_len, kv_len]
  };

  void Record(const std::string& layer, const torch::Tensor& weights) override;

  // What follows belongs to this step of a sampler, or this token of a decoder.
  void set_step(int64_t step) { step_ = step; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  int64_t step_ = 0;
  std::vector<Entry> entries_;
};

// A layer that can be recorded; every attention module of this library is one.
class RecordedLayer {
 public:
  virtual ~RecordedLayer() = default;

  // The name under which its weights are recorded; see NameAttentionLayers.
  std::string record_name;

 protected:
  // `recorder` where it wants this layer, null otherwise.
  AttentionRecorder* Wanting(AttentionRecorder* recorder) const;
};

// Gives each attention layer below `root` the path of its parameters as its
// name ("encoder.layers.0.attention"). Call it once, after the model is built.
void NameAttentionLayers(torch::nn::Module& root);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_ATTENTION_RECORDER_H_
