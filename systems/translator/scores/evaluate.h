#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SCORES_EVALUATE_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SCORES_EVALUATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/translator/pipeline.h"
#include "systems/translator/scores/answers.h"
#include "systems/translator/scores/bleu.h"

namespace keylens::translator {

// Translations of a text against a reference.
struct TextScore {
  BleuScore bleu;
  double chrf = 0;
  int64_t lines = 0;
  int64_t source_words = 0;
  double seconds = 0;            // of translating, without the alignment
  double words_per_second = 0;   // of the source
  double alignment_entropy = 0;  // nats, the mean over lines
  std::vector<std::string> translations;
};

// Throws UsageError unless there are as many references as sources, and at
// least one.
TextScore EvaluateText(const Pipeline& pipeline,
                       std::span<const std::string> sources,
                       std::span<const std::string> references,
                       const TranslateSettings& settings);

// A question that was not answered as listed.
struct WrongAnswer {
  std::string german, translation;
};

struct AnswerScore {
  int64_t questions = 0, right = 0;
  std::vector<WrongAnswer> wrong;
};

AnswerScore EvaluateAnswers(const Pipeline& pipeline,
                            const std::vector<Question>& questions,
                            const TranslateSettings& settings);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SCORES_EVALUATE_H_
