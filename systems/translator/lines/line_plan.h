#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"
#include "systems/translator/lines/line_part.h"
#include "systems/translator/rules/language_rules.h"

namespace keylens::translator {

// What is known of characters: whether the vocabulary has them. Each is asked
// for once.
class KnownCharacters {
 public:
  // The tokenizer must outlive it.
  explicit KnownCharacters(const Tokenizer& tokenizer)
      : tokenizer_(tokenizer) {}

  // A letter, or a symbol, is not known where its piece is the unknown one or
  // spells bytes, and that of its small letter too. ASCII and marks may be
  // spelt so: the model has seen them in training.
  bool operator()(std::string_view character) const;

 private:
  bool Ask(std::string_view character) const;

  const Tokenizer& tokenizer_;
  mutable std::map<std::string, bool, std::less<>> known_;
};

// How lines become parts: sentences first, then the marks around and within
// them, then what must pass through them.
class LinePlanner {
 public:
  // `max_pieces`: of a part that the model translates. Tokenizer and rules must
  // outlive the planner.
  LinePlanner(const Tokenizer& tokenizer, const LanguageRules& rules,
              int64_t max_pieces);

  // The parts of a line in its normal form, in order; what lies between them is
  // white space, or nothing. Empty for a blank line.
  std::vector<LinePart> Plan(std::string_view line) const;

  // The same part without stand-ins: the words they stood for are copied, and
  // what lies between them is translated by itself.
  std::vector<LinePart> PlanAround(std::string_view line,
                                   const LinePart& part) const;

 private:
  const Tokenizer& tokenizer_;
  const LanguageRules& rules_;
  std::size_t max_pieces_;
  KnownCharacters known_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_
