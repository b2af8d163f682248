// keylens classify IMAGE...: what a picture shows.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/input_failures.h"
#include "app/cli/option_checks.h"
#include "app/cli/output_guard.h"
#include "app/cli/report_option.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/program.h"
#include "src/base/shipped_model.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/classifier/pipeline.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using classifier::Guess;

// So many pictures are read and classified at once, and so many bytes of them
// (the last may go over).
constexpr std::size_t kAtOnce = 64;
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 28;

struct Options {
  std::vector<std::string> images;
  std::string model;
  std::string maps;       // a file; empty: none
  std::string evaluate;   // a data set; empty: none
  std::string confusion;  // a file; empty: none
  int top = 3;
  bool json = false;
};

void CheckOptions(const Options& options) {
  const bool evaluates = !options.evaluate.empty();
  if (evaluates == !options.images.empty())
    throw UsageError("give pictures, or --evaluate and a data set");
  if (evaluates && !options.maps.empty())
    throw UsageError("--maps: is for pictures, not for --evaluate");
  if (!evaluates && !options.confusion.empty())
    throw UsageError("--confusion: needs --evaluate");
}

void CheckOutputs(const Options& options, const fs::path& model) {
  OutputGuard guard;
  for (const std::string& image : options.images) guard.Reads(image);
  if (!options.evaluate.empty()) guard.Reads(options.evaluate);
  guard.ReadsModel(model);
  if (!options.maps.empty())
    GuardReports(guard, "--maps", options.maps, options.images.size());
  if (!options.confusion.empty())
    GuardReports(guard, "--confusion", options.confusion);
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

void SayNote(const std::string& line) {
  std::cerr << "keylens classify: " << line << '\n';
}

// Pictures to classify together, and where they stand among all.
struct Batch {
  std::vector<Image> images;
  std::vector<std::size_t> indices;
  std::size_t bytes = 0;

  bool full() const {
    return images.size() == kAtOnce || bytes >= kBytesAtOnce;
  }
};

Image ReadPicture(const std::string& path) {
  if (fs::is_directory(path)) {
    throw Error(path +
                ": a folder; give its pictures, or measure on it with "
                "--evaluate");
  }
  return ReadImage(path, SayNote);
}

void ClassifyBatch(const classifier::Pipeline& pipeline,
                   const ClassifierMaps& maps, const Options& options,
                   const Batch& batch) {
  if (batch.images.empty()) return;
  auto guesses = pipeline.Classify(batch.images);
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    std::vector<Guess>& best = guesses[i];
    best.resize(std::min<std::size_t>(options.top, best.size()));
    const std::string& image = options.images[batch.indices[i]];
    options.json ? PrintJson(image, best) : PrintText(options, image, best);
    if (options.maps.empty()) continue;
    render::WriteAttentionReport(
        maps(batch.images[i], fs::path(image).filename().string()),
        NumberedPath(options.maps, batch.indices[i], options.images.size()));
  }
}

// A picture that cannot be read does not keep the others from being classified.
void ClassifyAll(const classifier::Pipeline& pipeline,
                 const ClassifierMaps& maps, const Options& options) {
  InputFailures failures("keylens classify", "pictures", options.images.size());
  Batch batch;
  for (std::size_t i = 0; i < options.images.size(); ++i) {
    try {
      Image image = ReadPicture(options.images[i]);
      batch.bytes += image.pixels.size();
      batch.images.push_back(std::move(image));
      batch.indices.push_back(i);
    } catch (const Error& error) {
      failures.Add(error);
    }
    if (batch.full())
      ClassifyBatch(pipeline, maps, options, std::exchange(batch, {}));
  }
  ClassifyBatch(pipeline, maps, options, batch);
  failures.Finish();
}

void Evaluate(const classifier::Pipeline& pipeline, const Options& options) {
  const auto dataset = classifier::OpenDataset(options.evaluate);
  const classifier::Evaluation evaluation =
      pipeline.Evaluate(*dataset, SayNote);
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

void Classify(const Options& options, const OpenClassifierMaps& open_maps) {
  CheckOptions(options);
  const fs::path model =
      options.model.empty()
          ? ShippedModelFolder(ShippedModel::kClassifier, ProgramFolder())
          : fs::path(options.model);
  CheckOutputs(options, model);
  const auto pipeline = classifier::Pipeline::Load(model);
  if (!options.evaluate.empty()) return Evaluate(pipeline, options);
  ClassifyAll(pipeline,
              options.maps.empty() ? ClassifierMaps() : open_maps(model),
              options);
}

}  // namespace

void AddClassifyVerb(CLI::App& app, const OpenClassifierMaps& open_maps) {
  CLI::App* verb = app.add_subcommand("classify", "tell what pictures show");
  auto options = std::make_shared<Options>();
  verb->add_option("image", options->images, "PNG, JPEG or WebP, of any size");
  verb->add_option("--model", options->model,
                   "model folder (default: the one that ships)")
      ->type_name("DIR");
  verb->add_option("--top", options->top, "how many classes to print")
      ->check(WholeNumber(1, 1 << 16))
      ->capture_default_str();
  verb->add_option("--maps", options->maps,
                   fmt::format("what the model looked at, in every layer and "
                               "head, by rollout and by relevance for the "
                               "class: a file that ends in {} (FILE-1, FILE-2, "
                               "... for several pictures)",
                               render::kFormatsText))
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
  verb->callback([options, open_maps] { Classify(*options, open_maps); });
}

}  // namespace keylens::cli
