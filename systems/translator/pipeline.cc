#include "systems/translator/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"
#include "src/parallel/cores.h"
#include "src/parallel/thread_pool.h"
#include "systems/translator/lines/keep_words.h"
#include "systems/translator/lines/line_parts.h"
#include "systems/translator/lines/line_plan.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/rules/plain_rules.h"
#include "systems/translator/text/normal_form.h"
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
  if (settings.threads <= 0) settings.threads = AvailableCores();
  return settings;
}

// A line and its parts.
struct Line {
  std::string text;
  std::vector<TranslatedPart> parts;
};

std::vector<TranslatedPart> Untranslated(std::vector<LinePart> parts) {
  std::vector<TranslatedPart> translated;
  for (LinePart& part : parts)
    translated.push_back(TranslatedPart::From(std::move(part)));
  return translated;
}

std::vector<TranslatedPart*> Waiting(std::vector<Line>& lines) {
  std::vector<TranslatedPart*> parts;
  for (Line& line : lines) {
    for (TranslatedPart& part : line.parts)
      if (part.state == PartState::kWaiting) parts.push_back(&part);
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

// What becomes of a part that lost a word: it tries other stand-ins, then
// leaves names out to place them anew, and at last is planned around its words.
std::vector<TranslatedPart> NextTry(const LinePlanner& planner,
                                    const LanguageRules& rules,
                                    std::string_view line,
                                    TranslatedPart part) {
  constexpr int kAttempts = 3;
  LinePart next = part.part;
  const bool given_up = part.state == PartState::kGivenUp;
  if (!given_up && ++next.attempt < kAttempts &&
      DisguisePart(line, rules, next)) {
    return Untranslated({std::move(next)});
  }
  if (!given_up && LeaveWordsOut(line, rules, next))
    return Untranslated({std::move(next)});
  return Untranslated(planner.PlanAround(line, part.part));
}

void PlanAnew(const LinePlanner& planner, const LanguageRules& rules,
              Line& line) {
  std::vector<TranslatedPart> parts;
  for (TranslatedPart& part : line.parts) {
    if (part.state != PartState::kLost && part.state != PartState::kGivenUp) {
      parts.push_back(std::move(part));
      continue;
    }
    for (TranslatedPart& next :
         NextTry(planner, rules, line.text, std::move(part)))
      parts.push_back(std::move(next));
  }
  line.parts = std::move(parts);
}

// Translates what waits, and goes on with what lost a word until nothing did.
void TranslateAll(const TranslationModel& model, const LinePlanner& planner,
                  const LanguageRules& rules, const TranslateSettings& settings,
                  std::vector<Line>& lines) {
  for (auto waiting = Waiting(lines); !waiting.empty();
       waiting = Waiting(lines)) {
    model.TranslateParts(waiting, settings);
    for (Line& line : lines) PlanAnew(planner, rules, line);
  }
}

}  // namespace

Pipeline Pipeline::Load(const std::filesystem::path& model_folder,
                        std::span<const RulesRow> table) {
  ModelFolder files = ReadModelFolder(model_folder);
  AlignmentHeads heads =
      ReadAlignmentHeads(ConfigFile(model_folder), files.config);
  auto rules = RulesFor(table, files.config.source_language,
                        files.config.target_language);
  return Pipeline(std::make_unique<const TranslationModel>(std::move(files),
                                                           std::move(heads)),
                  std::move(rules));
}

Pipeline::Pipeline(std::unique_ptr<const TranslationModel> model,
                   std::unique_ptr<const LanguageRules> rules)
    : model_(std::move(model)), rules_(std::move(rules)) {}

Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline::~Pipeline() = default;

std::vector<Translation> Pipeline::Translate(
    std::span<const std::string> lines,
    const TranslateSettings& settings) const {
  const TranslateSettings checked = Checked(settings);
  const PlainRules plain;
  const LanguageRules& rules = checked.rules ? *rules_ : plain;
  const LinePlanner planner(
      model_->tokenizer, rules,
      std::min(kMaxPieces, model_->model.config().max_tokens - 1));
  std::vector<Line> planned;
  for (const std::string& text : lines) {
    Line& line = planned.emplace_back();
    line.text = NormalForm(ToValidUtf8(text));
    line.parts = Untranslated(planner.Plan(line.text));
  }
  TranslateAll(*model_, planner, rules, checked, planned);
  KeepWords(*model_, rules, ByModel(planned), checked);
  for (Line& line : planned) PlanAnew(planner, rules, line);
  TranslateAll(*model_, planner, rules, checked, planned);
  std::vector<Translation> translations(planned.size());
  ThreadPool pool(checked.threads);
  ForEach(pool, static_cast<int64_t>(planned.size()), [&](int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    const Line& line = planned[i];
    for (TranslatedPart& part : planned[i].parts)
      model_->AlignPart(line.text, part, checked.alignment);
    translations[i] =
        JoinParts(line.text, line.parts, rules, checked.search.nbest);
  });
  return translations;
}

}  // namespace keylens::translator
