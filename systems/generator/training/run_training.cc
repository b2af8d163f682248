#include "systems/generator/training/run_training.h"

#include <utility>
#include <vector>

#include "src/base/file.h"
#include "src/train/trainer.h"
#include "systems/generator/training/train.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

// What an earlier sitting exported tells how its model is built.
void KeepConfig(const fs::path& model, GeneratorConfig& config) {
  if (!fs::exists(model / "model_index.json")) return;
  config.text = ReadTextEncoderConfig(model / "text_encoder/config.json");
  config.unet = ReadUNetConfig(model / "unet/config.json");
  config.scheduler =
      ReadSchedulerConfig(model / "scheduler/scheduler_config.json");
}

}  // namespace

train::TrainingResult TrainGenerator(TrainingRun run) {
  train::SettleRun(run.trainer);
  run.training.seed = *run.trainer.seed;
  const fs::path& out = run.trainer.out;
  if (run.trainer.resume) KeepConfig(out / "model", run.training.config);
  std::vector<CaptionedPicture> pictures = ReadPictureSet(
      run.data, static_cast<int>(run.training.config.unet.sample_size),
      run.note);
  MakeFolder(out);
  const fs::path tokenizer = out / "tokenizer.model";
  const bool started = fs::exists(train::CheckpointOf(out));
  if (!started) TrainPromptTokenizer(pictures, tokenizer);
  if (run.training.sample_prompts.empty()) {
    run.training.sample_prompts = DefaultSamplePrompts(pictures);
  }
  GeneratorTask task(std::move(pictures), tokenizer, run.training);
  return train::Train(task, run.trainer);
}

}  // namespace keylens::generator
