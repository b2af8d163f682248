#ifndef KEYLENS_SRC_TRAIN_CHECKPOINT_H_
#define KEYLENS_SRC_TRAIN_CHECKPOINT_H_

#include <torch/torch.h>

#include <filesystem>

#include "src/train/flat_parameters.h"
#include "src/train/run_progress.h"

namespace keylens::train {

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

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_CHECKPOINT_H_
