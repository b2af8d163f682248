#include "systems/translator/training/run_training.h"

#include <fmt/format.h>

#include <utility>

#include "src/base/file.h"
#include "src/train/trainer.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/training/train.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

// What an earlier sitting exported tells how its model is built.
void KeepConfig(const fs::path& model, TranslatorConfig& config) {
  if (!fs::exists(ConfigFile(model))) return;
  config = ReadTranslatorConfig(ConfigFile(model));
}

// The tokenizer of a new run; with a model to start with, its, and its config.
void PrepareRun(TranslatorTraining& training, const ParallelText& text,
                const fs::path& tokenizer) {
  if (training.from.empty()) {
    TrainVocabulary(text.train, training.config.vocab_size, tokenizer);
    return;
  }
  training.config = ReadModelFolder(training.from).config;
  WriteFileAtomically(tokenizer, ReadFile(TokenizerFile(training.from)));
}

}  // namespace

train::TrainingResult TrainTranslator(TrainingRun run) {
  train::SettleRun(run.trainer);
  run.training.seed = *run.trainer.seed;
  const fs::path& out = run.trainer.out;
  if (run.trainer.resume) KeepConfig(out / "model", run.training.config);
  ParallelText text = ReadParallelText(run.data);
  MakeFolder(out);
  const fs::path tokenizer = out / "tokenizer.model";
  const bool started = fs::exists(train::CheckpointOf(out));
  if (started) {
    run.training.from.clear();
  } else {
    PrepareRun(run.training, text, tokenizer);
  }
  const std::size_t pairs = text.train.size();
  TranslatorTask task(std::move(text), tokenizer, run.training, out);
  run.note(fmt::format("{} pairs to train on, {} too long, {} pieces",
                       pairs - static_cast<std::size_t>(task.left_out()),
                       task.left_out(), task.config().vocab_size));
  return train::Train(task, run.trainer);
}

}  // namespace keylens::translator
