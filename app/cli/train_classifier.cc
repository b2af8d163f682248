// keylens train classifier: learns to tell classes of pictures apart.

#include <memory>
#include <string>

#include "app/cli/training_options.h"
#include "src/base/error.h"
#include "systems/classifier/training/run_training.h"

namespace keylens::cli {
namespace {

const TrainingHelp& Help() {
  static const TrainingHelp help = {
      "folder of pictures of classes: what `keylens data fashion` writes, "
      "CIFAR-10's binary version, or a sub-folder for each class (below train "
      "and test, where there are both)",
      "pictures", "measurement", "the layers"};
  return help;
}

struct Options {
  TrainingOptions common;
  classifier::TrainingRun run;
};

// As DeiT trains small Vision Transformers: a cosine over the whole run and
// more weight decay than a U-Net takes.
void SetDefaults(TrainingOptions& options) {
  options.decay_shape = "cosine";
  train::TrainerOptions& trainer = options.trainer;
  trainer.default_batch = 128;
  trainer.schedule.learning_rate = 2e-3;
  trainer.schedule.warmup_steps = 1000;
  trainer.schedule.decay_share = 1;
  trainer.optimizer.beta2 = 0.999;
  trainer.optimizer.epsilon = 1e-8;
  trainer.optimizer.weight_decay = 0.05;
  trainer.average_decay = 0.999;
}

void AddModelOptions(CLI::App& app, classifier::ClassifierConfig& config) {
  app.add_option("--image-size", config.image_size,
                 "pixels along each side of what the model sees")
      ->check(CLI::Range(int64_t{4}, kMaxImageSize))
      ->capture_default_str();
  app.add_option("--patch-size", config.patch_size,
                 "pixels along each side of a token")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--width", config.hidden_size, "of every layer")
      ->check(CLI::Range(4, 4096))
      ->capture_default_str();
  app.add_option("--heads", config.num_attention_heads, "of attention")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--feed-forward", config.intermediate_size,
                 "width within the feed-forward branches")
      ->check(CLI::Range(4, 16384))
      ->capture_default_str();
  app.add_option("--layers", config.num_hidden_layers)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
}

void AddPictureOptions(CLI::App& app,
                       classifier::ClassifierTraining& training) {
  classifier::Augmentation& augmentation = training.augmentation;
  app.add_option("--shift", augmentation.shift,
                 "move pictures by up to so many pixels")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  app.add_option("--flip", augmentation.flip,
                 "how often left and right change places")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--erase", augmentation.erase,
                 "how often a rectangle is taken out")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--label-smoothing", training.label_smoothing,
                 "part of each target that is spread over all classes")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--held-out", training.held_out,
                 "so many pictures are not learnt from but measured on")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

train::RunFile::Options SizesOf(const classifier::ClassifierConfig& config) {
  return {{"image-size", {std::to_string(config.image_size)}},
          {"patch-size", {std::to_string(config.patch_size)}},
          {"width", {std::to_string(config.hidden_size)}},
          {"heads", {std::to_string(config.num_attention_heads)}},
          {"feed-forward", {std::to_string(config.intermediate_size)}},
          {"layers", {std::to_string(config.num_hidden_layers)}}};
}

train::RunFile::Options SizesOfModel(const std::filesystem::path& model) {
  const std::filesystem::path config = model / "config.json";
  if (!std::filesystem::exists(config)) return {};
  return SizesOf(classifier::ReadClassifierConfig(config));
}

RunKind Kind() {
  return {"classifier",
          {"seed", "image-size", "patch-size", "width", "heads", "feed-forward",
           "layers", "held-out"},
          SizesOfModel};
}

void Settle(Options& options) {
  classifier::TrainingRun& run = options.run;
  run.data = options.common.data;
  run.training.bfloat16 = options.common.bfloat16;
  const classifier::ClassifierConfig& config = run.training.config;
  if (config.hidden_size % config.num_attention_heads != 0) {
    throw UsageError("--width: must be a multiple of --heads");
  }
  if (config.image_size % config.patch_size != 0) {
    throw UsageError("--image-size: must be a multiple of --patch-size");
  }
}

}  // namespace

void AddClassifierTraining(CLI::App& train) {
  CLI::App* verb = train.add_subcommand(
      "classifier", "learn to tell classes of pictures apart");
  auto options = std::make_shared<Options>();
  SetDefaults(options->common);
  AddTrainingOptions(*verb, Help(), options->common);
  AddModelOptions(*verb, options->run.training.config);
  AddPictureOptions(*verb, options->run.training);
  SetTraining(
      *verb,
      {.help = Help(),
       .kind = Kind(),
       .settle = [options](const TrainingOptions&) { Settle(*options); },
       .sizes = [options] { return SizesOf(options->run.training.config); },
       .train =
           [options](const train::TrainerOptions& trainer) {
             options->run.trainer = trainer;
             options->run.note = trainer.note;
             return classifier::TrainClassifier(options->run);
           }},
      options->common);
}

}  // namespace keylens::cli
