#include "systems/translator/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <thread>
#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"
#include "systems/translator/lines/keep_words.h"
#include "systems/translator/lines/line_parts.h"
#include "systems/translator/lines/line_plan.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/search/parallel_for.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

// Longer than any sentence that models of this kind are trained on; text beyond
// it is cut.
constexpr int64_t kMaxPieces = 100;

constexpr int kMaxBeam = 64;

TranslateSettings Checked(TranslateSettings settings) {
  const SearchOptions& search = settings.search;
  if (search.beam < 1 || search.beam > kMaxBeam) {
    throw UsageError(
        fmt::format("beam {}: must be from 1 to {}", search.beam, kMaxBeam));
  }
  if (search.nbest < 1 || search.nbest > search.beam) {
    throw UsageError(fmt::format("nbest {}: must be from 1 to the beam, {}",
                                 search.nbest, search.beam));
  }
  if (!(search.length_penalty >= 0 && search.length_penalty <= 5)) {
    throw UsageError(fmt::format("length penalty {}: must be from 0 to 5",
                                 search.length_penalty));
  }
  if (settings.threads <= 0) {
    settings.threads =
        static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
  return settings;
}

// A line and its parts.
struct Line {
  std::string text;
  std::vector<TranslatedPart> parts;
};

std::vector<TranslatedPart> Untranslated(std::vector<LinePart> parts) {
  std::vector<TranslatedPart> translated;
  for (LinePart& part : parts) {
    TranslatedPart& added = translated.emplace_back();
    if (part.copied) added.alternatives.push_back({part.text, {}});
    added.part = std::move(part);
  }
  return translated;
}

std::vector<TranslatedPart*> WithoutText(std::vector<Line>& lines) {
  std::vector<TranslatedPart*> parts;
  for (Line& line : lines) {
    for (TranslatedPart& part : line.parts)
      if (part.alternatives.empty()) parts.push_back(&part);
  }
  return parts;
}

std::vector<PlacedPart> ByModel(std::vector<Line>& lines) {
  std::vector<PlacedPart> parts;
  for (Line& line : lines) {
    for (TranslatedPart& part : line.parts)
      if (!part.part.copied) parts.push_back({line.text, &part});
  }
  return parts;
}

// Parts that lost a stand-in are planned anew, around it.
void PlanAroundLost(LinePlanner& planner, Line& line) {
  std::vector<TranslatedPart> parts;
  for (TranslatedPart& part : line.parts) {
    if (!part.alternatives.empty()) {
      parts.push_back(std::move(part));
      continue;
    }
    for (TranslatedPart& around :
         Untranslated(planner.PlanAround(line.text, part.part)))
      parts.push_back(std::move(around));
  }
  line.parts = std::move(parts);
}

}  // namespace

Pipeline Pipeline::Load(const std::filesystem::path& model_folder) {
  ModelFolder files = ReadModelFolder(model_folder);
  AlignmentHeads heads =
      ReadAlignmentHeads(ConfigFile(model_folder), files.config);
  return Pipeline(std::make_unique<const TranslationModel>(std::move(files),
                                                           std::move(heads)));
}

Pipeline::Pipeline(std::unique_ptr<const TranslationModel> model)
    : model_(std::move(model)) {}

Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline::~Pipeline() = default;

std::vector<Translation> Pipeline::Translate(
    std::span<const std::string> lines,
    const TranslateSettings& settings) const {
  const TranslateSettings checked = Checked(settings);
  LinePlanner planner(
      model_->tokenizer,
      std::min(kMaxPieces, model_->model.config().max_tokens - 1));
  std::vector<Line> planned;
  for (const std::string& text : lines) {
    Line& line = planned.emplace_back();
    line.text = ToValidUtf8(text);
    line.parts = Untranslated(planner.Plan(line.text));
  }
  model_->TranslateParts(WithoutText(planned), checked, false);
  const auto translate_around = [&] {
    for (Line& line : planned) PlanAroundLost(planner, line);
    model_->TranslateParts(WithoutText(planned), checked, true);
  };
  translate_around();
  KeepWords(*model_, ByModel(planned), checked);
  translate_around();
  std::vector<Translation> translations(planned.size());
  ParallelFor(planned.size(), checked.threads, [&](std::size_t i) {
    for (TranslatedPart& part : planned[i].parts)
      model_->AlignPart(part, checked.alignment);
    translations[i] =
        JoinParts(planned[i].text, planned[i].parts, checked.search.nbest);
  });
  return translations;
}

}  // namespace keylens::translator
