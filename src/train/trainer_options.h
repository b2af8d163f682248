#ifndef KEYLENS_SRC_TRAIN_TRAINER_OPTIONS_H_
#define KEYLENS_SRC_TRAIN_TRAINER_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "src/parallel/stop_token.h"
#include "src/train/progress.h"
#include "src/train/run_file.h"
#include "src/train/schedule.h"

// What a front end says of a run and hears of it. No torch.

namespace keylens::train {

struct OptimizerOptions {
  double beta1 = 0.9;
  double beta2 = 0.99;
  double epsilon = 1e-10;
  double weight_decay = 0.01;
  double clip_norm = 1.0;  // of the whole gradient; 0: not clipped
};

struct TrainerOptions {
  std::filesystem::path out;  // created where missing
  bool resume = false;        // go on with the run that `out` holds, if any
  // The end: after so many steps, or hours of training, both counted from the
  // beginning of the run over all its sittings; with neither, training goes on
  // until it is told to stop.
  std::optional<int64_t> steps;
  std::optional<double> hours;
  // Where they are not given: what the resumed run had, or these defaults. A
  // run keeps its seed.
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
  StopToken stop;              // ends the run after the step that is under way
  // Called before the first step: from here on a stop has something to keep.
  std::function<void()> on_start = {};
  std::optional<RunFile> run_file = {};  // written to `out`
  ProgressSink progress = {};            // after each step
  LineSink note = {};                    // a line for a person
};

// Where a run keeps its state.
std::filesystem::path CheckpointOf(const std::filesystem::path& run);

// Throws Error where the run's folder is that of its data or lies within: its
// own files would be taken for data the next time.
void CheckOutsideData(const std::filesystem::path& run,
                      const std::filesystem::path& data);

// Fills in what the run in `options.out` has decided, its seed and batch, or
// the defaults of a new one: before a task is made, since that wants to know
// the seed, too. Throws Error where `out` holds a run and `resume` is not set,
// and where another seed is asked for than the run has.
void SettleRun(TrainerOptions& options);

struct TrainingResult {
  int64_t steps = 0;     // done, over all sittings
  int64_t examples = 0;  // seen in them
  // Mean of the last line of metrics; none where no step was left to do.
  std::optional<double> loss;
  bool interrupted = false;
  double seconds = 0;  // of training, over all sittings
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_TRAINER_OPTIONS_H_
