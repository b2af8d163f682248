#ifndef KEYLENS_SRC_TRAIN_RUN_PROGRESS_H_
#define KEYLENS_SRC_TRAIN_RUN_PROGRESS_H_

#include <cstdint>
#include <filesystem>
#include <optional>

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

// The progress alone; none where there is no such file. Throws Error where it
// is no checkpoint.
std::optional<Progress> ReadProgress(const std::filesystem::path& path);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_RUN_PROGRESS_H_
