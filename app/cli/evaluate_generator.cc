// keylens evaluate generator: does a picture show its caption.

#include <fmt/format.h>
#include <keylens/nn/memory.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "src/base/program.h"
#include "src/base/shipped_model.h"
#include "systems/generator/evaluate.h"
#include "systems/generator/training/denoising.h"

namespace keylens::cli {
namespace {

using generator::Evaluation;
using generator::Recall;

struct Options {
  std::string data;
  std::string model;
  bool denoising = false;
  bool json = false;
  generator::EvaluationOptions evaluation;
};

bool ShowProgress(int64_t done, int64_t total) {
  static const bool on_terminal = isatty(STDERR_FILENO) == 1;
  if (!on_terminal) return true;
  std::cerr << fmt::format("\rdrawing: {:3.0f} %",
                           100.0 * static_cast<double>(done) /
                               static_cast<double>(total))
            << (done == total ? "\n" : "") << std::flush;
  return true;
}

nlohmann::ordered_json ToJson(const Recall& recall) {
  return {{"captions", recall.captions},
          {"recall_at_1", recall.at_1},
          {"recall_at_5", recall.at_5}};
}

void PrintJson(const Evaluation& evaluation) {
  const nlohmann::ordered_json json = {
      {"train", ToJson(evaluation.train)},
      {"held_out", ToJson(evaluation.held_out)},
      {"train_shuffled", ToJson(evaluation.train_shuffled)},
      {"held_out_shuffled", ToJson(evaluation.held_out_shuffled)}};
  std::cout << json.dump(2) << '\n';
}

void PrintLine(const char* name, const Recall& recall) {
  std::cout << fmt::format("{:<34}{:>6}{:>11.1f} %{:>11.1f} %\n", name,
                           recall.captions, 100 * recall.at_1,
                           100 * recall.at_5);
}

void PrintTable(const Evaluation& evaluation) {
  std::cout << fmt::format("{:<34}{:>6}{:>13}{:>13}\n", "captions", "number",
                           "recall at 1", "recall at 5");
  PrintLine("trained on", evaluation.train);
  PrintLine("held out", evaluation.held_out);
  PrintLine("trained on, shuffled (the floor)", evaluation.train_shuffled);
  PrintLine("held out, shuffled (the floor)", evaluation.held_out_shuffled);
}

// JSON has no NaN: null where there were no pictures.
void PrintErrors(const std::vector<generator::DenoisingError>& errors,
                 bool as_json) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  if (!as_json) std::cout << "signal / noise  error, trained on  held out\n";
  for (const generator::DenoisingError& error : errors) {
    json.push_back({{"signal_to_noise", error.signal_to_noise},
                    {"train", error.train},
                    {"held_out", error.held_out}});
    if (as_json) continue;
    std::cout << fmt::format("{:>14.2f}{:>19.4f}{:>10.4f}\n",
                             error.signal_to_noise, error.train,
                             error.held_out);
  }
  if (as_json) std::cout << json.dump(2) << '\n';
}

std::vector<generator::CaptionedPicture> ReadPictures(const std::string& folder,
                                                      int64_t size) {
  return generator::ReadPictureSet(
      folder, static_cast<int>(size),
      [](const std::string& line) { std::cerr << line << '\n'; });
}

void EvaluateDenoising(const Options& options,
                       const std::filesystem::path& folder) {
  constexpr int64_t kStride = 28;  // of some 3,500 pictures, 125
  generator::ModelFolder model = generator::ReadModelFolder(folder);
  const auto pictures =
      ReadPictures(options.data, model.model->config().unet.sample_size);
  PrintErrors(generator::DenoisingErrors(model, pictures, kStride),
              options.json);
}

void Evaluate(const Options& options) {
  nn::KeepFreedMemory();
  const std::filesystem::path folder =
      options.model.empty()
          ? ShippedModelFolder(ShippedModel::kGenerator, ProgramFolder())
          : std::filesystem::path(options.model);
  if (options.denoising) return EvaluateDenoising(options, folder);
  const auto pipeline = generator::Pipeline::Load(folder);
  const auto pictures =
      ReadPictures(options.data, pipeline.decoder().default_size());
  const Evaluation evaluation = generator::EvaluateGenerator(
      pipeline, pictures, options.evaluation, {.observer = ShowProgress});
  options.json ? PrintJson(evaluation) : PrintTable(evaluation);
}

}  // namespace

void AddEvaluateGenerator(CLI::App& evaluate) {
  CLI::App* verb = evaluate.add_subcommand(
      "generator",
      "how often the nearest picture of a set to what is drawn for a caption "
      "is the caption's own");
  auto options = std::make_shared<Options>();
  generator::EvaluationOptions& evaluation = options->evaluation;
  verb->add_option("--data", options->data, "folder of captioned pictures")
      ->required()
      ->type_name("DIR");
  verb->add_option("--model", options->model,
                   "model folder (default: the one that ships)")
      ->type_name("DIR");
  verb->add_option("--captions", evaluation.train_captions,
                   "how many of those trained on; all that are held out are "
                   "drawn as well")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--seed", evaluation.seed, "of the choice and the pictures")
      ->check(CheckSeed)
      ->capture_default_str();
  verb->add_option("--steps", evaluation.settings.steps)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--guidance", evaluation.settings.guidance)
      ->capture_default_str();
  verb->add_option("--threads", evaluation.settings.threads,
                   "0: one for each core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_flag("--denoising", options->denoising,
                 "instead, the error of the picture that the model sees in "
                 "noise, for some amounts of noise");
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([options] { Evaluate(*options); });
}

}  // namespace keylens::cli
