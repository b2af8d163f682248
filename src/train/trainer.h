#ifndef KEYLENS_SRC_TRAIN_TRAINER_H_
#define KEYLENS_SRC_TRAIN_TRAINER_H_

#include "src/train/task.h"
#include "src/train/trainer_options.h"

namespace keylens::train {

// Trains until the end that the options name, until the task has enough, or
// until it is told to stop, and leaves in `options.out`:
//   run.json                options.run_file
//   checkpoint.safetensors  weights, average, moments and progress
//   metrics.jsonl           loss and speed
//   samples/                what the model made of a few inputs, over time
//   model/                  the averaged model, as Task::Export writes it
// Every random draw is a function of the seed and the step, so that a run that
// was killed and resumed ends with the same weights, bit for bit, as one that
// never stopped (with the same number of workers, and an end given in steps).
//
// A state is written once its loss is known, and only where that is worth
// keeping (LossWatch): a run that diverges leaves the checkpoint and the model
// that it had before.
//
// The number of threads that torch and OpenMP use in the calling thread stays
// as it is. Throws Error as SettleRun does, where a file cannot be read or
// written, where threads cannot be made, where the loss stays not finite, or
// where the run ends with a state that is not worth keeping.
TrainingResult Train(Task& task, const TrainerOptions& options);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_TRAINER_H_
