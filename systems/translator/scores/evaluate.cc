#include "systems/translator/scores/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "src/base/error.h"
#include "systems/translator/scores/chrf.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

double MeanAlignmentEntropy(const Pipeline& pipeline,
                            std::span<const std::string> sources,
                            TranslateSettings settings) {
  settings.alignment = true;
  double sum = 0;
  for (const Translation& translation : pipeline.Translate(sources, settings))
    sum += translation.alignment_entropy;
  return sum / static_cast<double>(sources.size());
}

}  // namespace

TextScore EvaluateText(const Pipeline& pipeline,
                       std::span<const std::string> sources,
                       std::span<const std::string> references,
                       const TranslateSettings& settings) {
  if (sources.size() != references.size() || sources.empty()) {
    throw UsageError(
        fmt::format("{} source lines and {} reference lines: there must be as "
                    "many, and at least one",
                    sources.size(), references.size()));
  }
  TextScore score;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Translation> translations =
      pipeline.Translate(sources, settings);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  for (const Translation& translation : translations)
    score.translations.push_back(translation.text);
  for (const std::string& source : sources) {
    score.source_words +=
        static_cast<int64_t>(SplitAtWhiteSpace(source).size());
  }
  score.lines = static_cast<int64_t>(sources.size());
  score.seconds = time.count();
  score.words_per_second =
      static_cast<double>(score.source_words) / score.seconds;
  score.bleu = Bleu(score.translations, references);
  score.chrf = Chrf(score.translations, references);
  score.alignment_entropy = MeanAlignmentEntropy(pipeline, sources, settings);
  return score;
}

AnswerScore EvaluateAnswers(const Pipeline& pipeline,
                            const std::vector<Question>& questions,
                            const TranslateSettings& settings) {
  std::vector<std::string> sources;
  for (const Question& question : questions) sources.push_back(question.german);
  const std::vector<Translation> translations =
      pipeline.Translate(sources, settings);
  AnswerScore score;
  score.questions = static_cast<int64_t>(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (IsRight(questions[i], translations[i].text)) {
      ++score.right;
    } else {
      score.wrong.push_back({sources[i], translations[i].text});
    }
  }
  return score;
}

}  // namespace keylens::translator
