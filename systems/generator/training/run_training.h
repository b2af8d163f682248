#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_RUN_TRAINING_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_RUN_TRAINING_H_

#include <filesystem>

#include "src/base/note_sink.h"
#include "src/train/trainer_options.h"
#include "systems/generator/training/training_options.h"

namespace keylens::generator {

struct TrainingRun {
  std::filesystem::path data;     // a folder of captioned pictures
  GeneratorTraining training;     // a resumed run keeps the config it has
  train::TrainerOptions trainer;  // with the folder of the run
  NoteSink note;                  // one line for each file that is left out
};

// Reads the pictures, trains a tokenizer on their captions (a resumed run has
// one), and trains the generator. Throws Error.
train::TrainingResult TrainGenerator(TrainingRun run);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_RUN_TRAINING_H_
