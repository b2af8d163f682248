// keylens heads: which head of a model does what, over a data set.

#include <fmt/format.h>
#include <keylens/nn/memory.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/option_checks.h"
#include "app/cli/output_guard.h"
#include "app/cli/report_option.h"
#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/lines.h"
#include "src/inspect/survey_outputs.h"
#include "src/models/registry.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/classifier/looking/survey_heads.h"
#include "systems/classifier/pipeline.h"
#include "systems/generator/looking/survey_heads.h"
#include "systems/translator/looking/survey_heads.h"
#include "systems/translator/scores/evaluate.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string model, data, maps;
  int64_t count = 0;  // 0: as many as the system's default
  bool json = false;
};

struct Survey {
  std::string system;
  std::string examples;  // "400 pairs"
  std::vector<inspect::SurveyedPlace> places;
};

int64_t CountOf(const Options& options, int64_t usual) {
  return options.count > 0 ? options.count : usual;
}

Survey SurveyTranslator(const Options& options) {
  const auto pipeline = LoadTranslator(options.model);
  const translator::SurveyedPairs surveyed = translator::SurveyHeads(
      pipeline, translator::ReadParallelText(options.data),
      CountOf(options, 400));
  return {"translator",
          fmt::format("{} held-out pairs, agreement on {} links of a lexical "
                      "aligner",
                      surveyed.pairs, surveyed.links),
          surveyed.places};
}

Survey SurveyGenerator(const Options& options) {
  std::vector<std::string> prompts;
  for (const std::string& line : ReadLines(options.data)) {
    if (!line.empty() &&
        static_cast<int64_t>(prompts.size()) < CountOf(options, 16))
      prompts.push_back(line);
  }
  if (prompts.empty()) throw Error(options.data + ": there is no prompt in it");
  auto pipeline = generator::Pipeline::Load(options.model);
  return {"generator", fmt::format("{} prompts", prompts.size()),
          generator::SurveyHeads(pipeline, prompts, {})};
}

Survey SurveyClassifier(const Options& options) {
  const auto pipeline = classifier::Pipeline::Load(options.model);
  const auto dataset = classifier::OpenDataset(options.data);
  const classifier::SurveyedPictures surveyed = classifier::SurveyHeads(
      pipeline.model(), *dataset, CountOf(options, 1000),
      [](const std::string& line) { std::cerr << line << '\n'; });
  return {"classifier", fmt::format("{} test pictures", surveyed.pictures),
          surveyed.places};
}

// What a survey is made of, for each kind of model in the registry.
constexpr struct {
  const char* kind;
  Survey (*survey)(const Options& options);
} kSurveys[] = {{"keylens_unet", SurveyGenerator},
                {"keylens_translator", SurveyTranslator},
                {"vit", SurveyClassifier}};

Survey SurveyModel(const Options& options) {
  const ModelKind& kind = ModelKindOf(options.model);
  for (const auto& row : kSurveys) {
    if (row.kind == std::string_view(kind.name)) return row.survey(options);
  }
  throw Error(options.model + ": " + kind.description +
              ", whose heads cannot be surveyed");
}

void PrintText(const Options& options, const Survey& survey) {
  std::cout << fmt::format("{}, {}\n{}: {}\n", survey.system, options.model,
                           options.data, survey.examples);
  for (const inspect::SurveyedPlace& place : survey.places)
    std::cout << '\n' << inspect::SurveyTable(place);
}

void PrintJson(const Options& options, const Survey& survey) {
  nlohmann::ordered_json json = {{"system", survey.system},
                                 {"model", options.model},
                                 {"data", options.data},
                                 {"examples", survey.examples},
                                 {"places", nlohmann::ordered_json::array()}};
  for (const inspect::SurveyedPlace& place : survey.places)
    json["places"].push_back(inspect::ToJson(place));
  std::cout << json.dump(2, ' ', false,
                         nlohmann::ordered_json::error_handler_t::replace)
            << '\n';
}

void WriteMaps(const Options& options, const Survey& survey) {
  render::AttentionReport report;
  report.title = "Heads of " + fs::path(options.model).filename().string();
  report.notes = {fmt::format("{}: {}", options.data, survey.examples),
                  "Shares in %, means over all queries."};
  report.quantity = "share";
  report.scale_top = 1;
  for (const inspect::SurveyedPlace& place : survey.places) {
    for (render::AttentionPanel& panel : inspect::SurveyPanels(place))
      report.panels.push_back(std::move(panel));
  }
  render::WriteAttentionReport(report, options.maps);
}

void Heads(const Options& options) {
  if (!options.maps.empty()) {
    OutputGuard guard;
    guard.ReadsModel(options.model);
    guard.Reads(options.data);
    GuardReports(guard, "--maps", options.maps);
  }
  nn::KeepFreedMemory();
  const Survey survey = SurveyModel(options);
  options.json ? PrintJson(options, survey) : PrintText(options, survey);
  if (!options.maps.empty()) WriteMaps(options, survey);
}

}  // namespace

void AddHeadsVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "heads", "which head of a model does what, in the mean over a data set");
  auto options = std::make_shared<Options>();
  verb->add_option("--model", options->model,
                   "the folder of a translator, generator or classifier")
      ->required()
      ->type_name("DIR");
  verb->add_option("--data", options->data,
                   "for a translator a folder of parallel text, for a "
                   "generator a file of prompts, for a classifier a data set: "
                   "as `keylens train` and `generate` take them")
      ->required()
      ->type_name("PATH");
  verb->add_option("--count", options->count,
                   "how many examples, spread over the held-out ones (default: "
                   "400 pairs, 16 prompts, 1000 pictures)")
      ->check(WholeNumber(1, int64_t{1} << 30));
  verb->add_option("--maps", options->maps,
                   fmt::format("an overview: a file that ends in {}",
                               render::kFormatsText))
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "print JSON (docs/inspecting.md)");
  verb->callback([options] { Heads(*options); });
}

}  // namespace keylens::cli
