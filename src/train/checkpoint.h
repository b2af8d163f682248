#ifndef KEYLENS_SRC_TRAIN_CHECKPOINT_H_
#define KEYLENS_SRC_TRAIN_CHECKPOINT_H_

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <optional>

#include "src/train/flat_parameters.h"

namespace keylens::train {

// Where a run stands, apart from its tensors.
struct Progress {
  uint64_t seed = 0;
  int64_t batch = 0;
  int64_t step = 0;            // steps done
  int64_t examples = 0;        // seen in them
  int64_t optimizer_step = 0;  // those that the optimizer took
  double seconds = 0;          // of training, over all sittings
  // The loss of the first step; checkpoints of old do not know it.
  std::optional<double> first_loss;
};

// All that a run needs to go on as if it had never stopped.
struct TrainingState {
  Progress progress;
  // Flat buffers of FlatParameters::size() elements.
  torch::Tensor values;
  torch::Tensor average;
  torch::Tensor first_moment;
  torch::Tensor second_moment;
};

// One safetensors file: the tensors `weights.NAME`, `average.NAME`,
// `first_moment.NAME` and `second_moment.NAME` in float32, and the progress as
// JSON in the metadata entry `progress`. It appears whole or not at all, so
// that the previous checkpoint lasts until this one is complete.
void WriteCheckpoint(const std::filesystem::path& path,
                     const FlatParameters& parameters,
                     const TrainingState& state);

// Fills `state`, whose tensors are already allocated. Throws Error, naming the
// file and the tensor, where one is missing or has another shape.
void ReadCheckpoint(const std::filesystem::path& path,
                    const FlatParameters& parameters, TrainingState& state);

// The progress alone; none where there is no such file. Throws Error where it
// is no checkpoint.
std::optional<Progress> ReadProgress(const std::filesystem::path& path);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_CHECKPOINT_H_
