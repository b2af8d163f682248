// keylens train translator: learns to translate German into English.

#include <iterator>
#include <memory>
#include <string>

#include "app/cli/training_options.h"
#include "languages/german_english/variety/german_english_variety.h"
#include "src/base/error.h"
#include "systems/translator/training/run_training.h"

namespace keylens::cli {
namespace {

const TrainingHelp& Help() {
  static const TrainingHelp help = {
      "folder of pairs of sentences: train.tsv and valid.tsv of `keylens data "
      "german-english`, or train.de, train.en, valid.de and valid.en",
      "tokens", "sample of translations", "the layers"};
  return help;
}

struct Options {
  TrainingOptions common;
  translator::TrainingRun run;
  german_english::VarietyShares variety;
};

// A Transformer wants a longer warm-up than the trainer's own, and the rate to
// fall over most of the run.
void SetDefaults(train::TrainerOptions& trainer) {
  trainer.default_batch = 4096;
  trainer.schedule = {
      .learning_rate = 1e-3, .warmup_steps = 1000, .decay_share = 0.8};
  trainer.average_decay = 0.999;
  trainer.sample_seconds = 300;
}

void AddModelOptions(CLI::App& app, translator::TranslatorConfig& config) {
  app.add_option("--vocab", config.vocab_size,
                 "the most pieces of the vocabulary of both languages")
      ->check(CLI::Range(300, 1 << 18))
      ->capture_default_str();
  app.add_option("--width", config.hidden_size, "of every layer")
      ->check(CLI::Range(8, 4096))
      ->capture_default_str();
  app.add_option("--heads", config.num_heads, "of attention")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--feed-forward", config.mlp_size,
                 "width within the feed-forward branches")
      ->check(CLI::Range(8, 16384))
      ->capture_default_str();
  app.add_option("--encoder-layers", config.encoder_layers)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--decoder-layers", config.decoder_layers)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
}

// What a model that training starts with says itself.
constexpr const char* kModelOptions[] = {"vocab",          "width",
                                         "heads",          "feed-forward",
                                         "encoder-layers", "decoder-layers"};

void AddFromOption(CLI::App& app, translator::TranslatorTraining& training) {
  CLI::Option* from =
      app.add_option("--from", training.from,
                     "model folder: start with its weights and its vocabulary")
          ->type_name("DIR");
  for (const char* option : kModelOptions)
    from->excludes(app.get_option(std::string("--") + option));
}

void AddVarietyOptions(CLI::App& app, german_english::VarietyShares& shares) {
  app.add_option("--substitute", shares.substituted,
                 "share of the pairs that get other names, numbers and times, "
                 "where they have some")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--join", shares.joined,
                 "share of the threes of pairs that become longer sentences")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

void AddTextOptions(CLI::App& app, translator::TranslatorTraining& training) {
  app.add_option("--dropout", training.dropout, "of embeddings and branches")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--label-smoothing", training.label_smoothing,
                 "part of each target that is spread over all pieces")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--subword-sharpness", training.subword_sharpness,
                 "above 0: words are split into pieces anew each time, the "
                 "more alike the larger it is")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app.add_option("--validation-sentences", training.validation_sentences,
                 "held-out sentences that a sample translates")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--patience", training.patience,
                 "stop after so many samples without a better chrF (0: never)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

train::RunFile::Options SizesOf(const translator::TranslatorConfig& config) {
  return {{"width", {std::to_string(config.hidden_size)}},
          {"heads", {std::to_string(config.num_heads)}},
          {"feed-forward", {std::to_string(config.mlp_size)}},
          {"encoder-layers", {std::to_string(config.encoder_layers)}},
          {"decoder-layers", {std::to_string(config.decoder_layers)}}};
}

// But for --vocab: the model says how many pieces there are, not the most that
// were asked for.
train::RunFile::Options SizesOfModel(const std::filesystem::path& model) {
  const std::filesystem::path config = model / "config.json";
  if (!std::filesystem::exists(config)) return {};
  return SizesOf(translator::ReadTranslatorConfig(config));
}

RunKind Kind() {
  RunKind kind = {"translator", {"seed", "from"}, SizesOfModel};
  kind.fixed.insert(std::begin(kModelOptions), std::end(kModelOptions));
  return kind;
}

// A new run that starts with a model is of its sizes.
void TakeSizesOfModel(translator::TrainingRun& run,
                      const std::filesystem::path& out) {
  const std::filesystem::path& from = run.training.from;
  if (from.empty() || std::filesystem::exists(train::CheckpointOf(out))) return;
  const std::filesystem::path config = from / "config.json";
  if (std::filesystem::exists(config))
    run.training.config = translator::ReadTranslatorConfig(config);
}

void Settle(Options& options) {
  translator::TrainingRun& run = options.run;
  run.data = options.common.data;
  TakeSizesOfModel(run, options.common.trainer.out);
  run.training.bfloat16 = options.common.bfloat16;
  run.training.variety = german_english::VarietyOf(options.variety);
  const translator::TranslatorConfig& config = run.training.config;
  if (config.hidden_size % config.num_heads != 0 ||
      config.hidden_size % 2 != 0) {
    throw UsageError("--width: must be even and a multiple of --heads");
  }
}

}  // namespace

void AddTranslatorTraining(CLI::App& train) {
  CLI::App* verb = train.add_subcommand(
      "translator", "learn to translate from pairs of sentences");
  auto options = std::make_shared<Options>();
  SetDefaults(options->common.trainer);
  AddTrainingOptions(*verb, Help(), options->common);
  AddModelOptions(*verb, options->run.training.config);
  AddFromOption(*verb, options->run.training);
  AddTextOptions(*verb, options->run.training);
  AddVarietyOptions(*verb, options->variety);
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
             return translator::TrainTranslator(options->run);
           }},
      options->common);
}

}  // namespace keylens::cli
