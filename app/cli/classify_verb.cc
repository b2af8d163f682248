// keylens classify IMAGE...: what a picture shows.

#include <fmt/format.h>
#include <keylens/nn/memory.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/classifier/default_model.h"
#include "systems/classifier/pipeline.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using classifier::Guess;

// So many pictures are read and classified at once.
constexpr std::size_t kAtOnce = 64;

struct Options {
  std::vector<std::string> images;
  std::string model;
  std::string maps;       // a file; empty: none
  std::string evaluate;   // a data set; empty: none
  std::string confusion;  // a file; empty: none
  int top = 3;
  bool json = false;
};

void CheckReportOption(const char* option, const std::string& path) {
  if (path.empty()) return;
  try {
    render::CheckReportPath(path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

void CheckOptions(const Options& options) {
  const bool evaluates = !options.evaluate.empty();
  if (evaluates == !options.images.empty())
    throw UsageError("give pictures, or --evaluate and a data set");
  if (evaluates && !options.maps.empty())
    throw UsageError("--maps: is for pictures, not for --evaluate");
  if (!evaluates && !options.confusion.empty())
    throw UsageError("--confusion: needs --evaluate");
  CheckReportOption("--maps", options.maps);
  CheckReportOption("--confusion", options.confusion);
}

// maps.svg for one picture, maps-1.svg, maps-2.svg, ... for several.
fs::path MapsPath(const Options& options, std::size_t index) {
  const fs::path path = options.maps;
  if (options.images.size() == 1) return path;
  return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(),
                                          index + 1, path.extension().string());
}

void PrintText(const Options& options, const std::string& image,
               const std::vector<Guess>& guesses) {
  if (options.images.size() > 1) std::cout << image << '\n';
  for (const Guess& guess : guesses) {
    std::cout << fmt::format("{:5.1f} %  {}\n", 100 * guess.probability,
                             guess.label);
  }
}

void PrintJson(const std::string& image, const std::vector<Guess>& guesses) {
  nlohmann::ordered_json json = {{"image", image},
                                 {"classes", nlohmann::ordered_json::array()}};
  for (const Guess& guess : guesses) {
    json["classes"].push_back(
        {{"label", guess.label}, {"probability", guess.probability}});
  }
  std::cout << json.dump(-1, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << '\n';
}

void ClassifyImages(const classifier::Pipeline& pipeline,
                    const Options& options, std::size_t first) {
  const std::size_t end = std::min(first + kAtOnce, options.images.size());
  std::vector<Image> images;
  for (std::size_t i = first; i < end; ++i)
    images.push_back(ReadImage(options.images[i]));
  auto guesses = pipeline.Classify(images);
  for (std::size_t i = first; i < end; ++i) {
    std::vector<Guess>& best = guesses[i - first];
    best.resize(std::min<std::size_t>(options.top, best.size()));
    const std::string& image = options.images[i];
    options.json ? PrintJson(image, best) : PrintText(options, image, best);
    if (options.maps.empty()) continue;
    render::WriteAttentionReport(
        pipeline.Maps(images[i - first], fs::path(image).filename().string()),
        MapsPath(options, i));
  }
}

void Evaluate(const classifier::Pipeline& pipeline, const Options& options) {
  const auto dataset = classifier::OpenDataset(options.evaluate);
  const classifier::Evaluation evaluation = pipeline.Evaluate(
      *dataset, [](const std::string& line) { std::cerr << line << '\n'; });
  if (!options.confusion.empty()) {
    render::WriteAttentionReport(
        classifier::ConfusionReport(evaluation, "Confusion of classes"),
        options.confusion);
  }
  if (options.json) {
    std::cout << classifier::EvaluationJson(evaluation) << '\n';
  } else {
    std::cout << classifier::EvaluationText(evaluation);
  }
}

void Classify(const Options& options) {
  nn::KeepFreedMemory();
  CheckOptions(options);
  const auto pipeline = classifier::Pipeline::Load(
      options.model.empty() ? classifier::DefaultModelFolder()
                            : fs::path(options.model));
  if (!options.evaluate.empty()) return Evaluate(pipeline, options);
  for (std::size_t i = 0; i < options.images.size(); i += kAtOnce)
    ClassifyImages(pipeline, options, i);
}

}  // namespace

void AddClassifyVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("classify", "tell what pictures show");
  auto options = std::make_shared<Options>();
  verb->add_option("image", options->images, "PNG, JPEG or WebP, of any size");
  verb->add_option("--model", options->model,
                   "model folder (default: the one that ships)")
      ->type_name("DIR");
  verb->add_option("--top", options->top, "how many classes to print")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  verb->add_option("--maps", options->maps,
                   "what the model looked at, in every layer and head, by "
                   "rollout and by relevance for the class: a file that ends "
                   "in .png, .svg, .html, .json or .npy (FILE-1, FILE-2, ... "
                   "for several pictures)")
      ->type_name("FILE");
  verb->add_option("--evaluate", options->evaluate,
                   "instead, measure on the test pictures of a data set, as "
                   "`keylens train classifier` takes it")
      ->type_name("DIR");
  verb->add_option("--confusion", options->confusion,
                   "with --evaluate: the confusion matrix as a picture, a file "
                   "that ends in .png, .svg or .html")
      ->type_name("FILE");
  verb->add_flag("--json", options->json,
                 "print one JSON object for each picture, or for --evaluate");
  verb->callback([options] { Classify(*options); });
}

}  // namespace keylens::cli
