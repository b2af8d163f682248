#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RUN_TRAINING_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RUN_TRAINING_H_

#include <filesystem>
#include <functional>
#include <string>

#include "src/train/trainer_options.h"
#include "systems/translator/training/training_options.h"

namespace keylens::translator {

struct TrainingRun {
  std::filesystem::path data;     // see ReadParallelText
  TranslatorTraining training;    // a resumed run keeps the config it has
  train::TrainerOptions trainer;  // with the folder of the run
  std::function<void(const std::string&)> note;  // a line about the text
};

// Reads the text, trains a tokenizer on it (unless the run is resumed, or
// starts with a model: training.from), and trains the translator. A run that
// starts with a model takes its config; a resumed one needs the model no more.
// Throws Error.
train::TrainingResult TrainTranslator(TrainingRun run);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RUN_TRAINING_H_
