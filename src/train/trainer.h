#ifndef KEYLENS_SRC_TRAIN_TRAINER_H_
#define KEYLENS_SRC_TRAIN_TRAINER_H_

#include <cstdint>
#include <filesystem>
#include <optional>

#include "src/train/optimizer.h"
#include "src/train/schedule.h"
#include "src/train/task.h"

namespace keylens::train {

struct TrainerOptions {
  std::filesystem::path out;  // created where missing
  bool resume = false;        // go on with the run that `out` holds, if any
  // The end: after so many steps, or hours of training (over all sittings);
  // with neither, training goes on until it is told to stop.
  std::optional<int64_t> steps;
  std::optional<double> hours;
  // Where they are not given: what the resumed run had, or these defaults.
  std::optional<uint64_t> seed;  // 0
  std::optional<int64_t> batch;  // default_batch
  int64_t default_batch = 32;
  int workers = 0;  // threads; 0: one for each core
  Schedule schedule;
  OptimizerOptions optimizer;
  double average_decay = 0.9995;
  double checkpoint_seconds = 90;
  double sample_seconds = 600;
  int64_t metrics_steps = 50;  // steps from one line of metrics to the next
};

struct TrainingResult {
  int64_t steps = 0;     // done, over all sittings
  int64_t examples = 0;  // seen in them
  double loss = 0;       // mean of the last line of metrics
  bool interrupted = false;
};

// Trains until the end that the options name, until the task has enough, or
// until Ctrl-C or SIGTERM, and
// leaves in `options.out`:
//   checkpoint.safetensors  weights, average, moments and progress
//   metrics.jsonl           loss and speed
//   samples/                what the model made of a few inputs, over time
//   model/                  the averaged model, as Task::Export writes it
// Every random draw is a function of the seed and the step, so that a run that
// was killed and resumed ends with the same weights, bit for bit, as one that
// never stopped (with the same number of workers, and an end given in steps).
//
// Throws Error where `out` holds a run and `resume` is not set, where a file
// cannot be read or written, or where the loss stays not finite.
TrainingResult Train(Task& task, const TrainerOptions& options);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_TRAINER_H_
