#ifndef KEYLENS_SYSTEMS_GENERATOR_LOOKING_CROSS_ATTENTION_MAPS_H_
#define KEYLENS_SYSTEMS_GENERATOR_LOOKING_CROSS_ATTENTION_MAPS_H_

#include <keylens/nn/attention_recorder.h>
#include <torch/torch.h>

#include <string>
#include <vector>

namespace keylens::generator {

// Records the layers that look from the picture to the prompt, and no others,
// over the steps of one drawing. Each layer's weights go at once to their place
// among those of all steps, and are nowhere else.
class CrossAttentionMaps : public nn::AttentionRecorder {
 public:
  struct Layer {
    std::string name;
    torch::Tensor weights;  // [steps, heads, positions, tokens]
  };

  explicit CrossAttentionMaps(int64_t steps) : steps_(steps) {}

  bool Wants(const std::string& layer) const override;
  void Record(const std::string& layer, const torch::Tensor& weights) override;

  // What is recorded from here on belongs to this step.
  void set_step(int64_t step) { step_ = step; }

  const std::vector<Layer>& layers() const { return layers_; }

 private:
  int64_t steps_;
  int64_t step_ = 0;
  std::vector<Layer> layers_;  // in the order of the network
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_LOOKING_CROSS_ATTENTION_MAPS_H_
