#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_RUN_TRAINING_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_RUN_TRAINING_H_

#include <filesystem>

#include "src/base/note_sink.h"
#include "src/train/trainer_options.h"
#include "systems/classifier/training/training_options.h"

namespace keylens::classifier {

struct TrainingRun {
  std::filesystem::path data;  // what OpenDataset takes
  // A resumed run keeps the config that it has. A new one takes its sizes from
  // here, and the rest (channels, labels, framing, mean and deviation) from the
  // data.
  ClassifierTraining training;
  train::TrainerOptions trainer;  // with the folder of the run
  NoteSink note;                  // one line for each file that is left out
};

// Reads the pictures and trains the classifier. Throws Error.
train::TrainingResult TrainClassifier(TrainingRun run);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_RUN_TRAINING_H_
