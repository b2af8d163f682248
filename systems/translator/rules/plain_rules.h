#ifndef KEYLENS_SYSTEMS_TRANSLATOR_RULES_PLAIN_RULES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_RULES_PLAIN_RULES_H_

#include "systems/translator/rules/language_rules.h"

namespace keylens::translator {

// What holds for any pair of languages: text is split at full stops, numbers
// are the model's unless they have no grammar anywhere (telephone numbers), and
// nothing is looked for in the translation.
class PlainRules : public LanguageRules {
 public:
  std::vector<TextRange> Sentences(std::string_view text) const override;
  std::vector<Protected> WordsToKeep(std::string_view text) const override;
  bool IsOrdinaryNumber(std::string_view text, TextRange number) const override;
  Protected Number(std::string_view text, TextRange number) const override;
  std::vector<Protected> Numbers(std::string_view text) const override;
  std::vector<Protected> NumberPhrases(std::string_view text) const override;
  std::optional<ProtectedKind> KindOfRareWord(std::string_view text,
                                              TextRange word) const override;
  LostWords Lost(std::string_view source,
                 std::string_view translation) const override;
  std::span<const std::string_view> StandIns(ProtectedKind kind) const override;
  std::vector<std::string> SmallForms(std::string_view word) const override;
  std::string WithinSentence(std::string translation) const override;
  QuoteMarks TargetQuotes(const QuoteMarks& source) const override;
  std::string CloseQuotation(const QuoteMarks& target, bool ended,
                             std::string_view separator) const override;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_RULES_PLAIN_RULES_H_
