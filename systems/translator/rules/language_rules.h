#ifndef KEYLENS_SYSTEMS_TRANSLATOR_RULES_LANGUAGE_RULES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_RULES_LANGUAGE_RULES_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/rules/protected.h"
#include "systems/translator/text/characters.h"

namespace keylens::translator {

// A word of a source text that may be a name.
struct NameCandidate {
  Protected word;        // as it stands in any translation
  bool certain = false;  // "Frau Koch": it is one
};

// What a translation does not have of its source.
struct LostWords {
  std::vector<NameCandidate> names;
  std::vector<Protected> numbers;
};

struct QuoteMarks {
  std::string open, close;
};

// What translating knows of a pair of languages beyond its model: where
// sentences end, which words are carried over and how, what a translation must
// have of its source, how text is cased and quoted. All texts are UTF-8, of any
// content; ranges are of the text that was given, in order and without overlap.
class LanguageRules {
 public:
  virtual ~LanguageRules() = default;

  // The sentences of a text, without the white space around them.
  virtual std::vector<TextRange> Sentences(std::string_view text) const = 0;

  // Words to carry over: dates, measures, names that must not be translated.
  virtual std::vector<Protected> WordsToKeep(std::string_view text) const = 0;

  // Whether a model may be left to read and write the number by itself.
  virtual bool IsOrdinaryNumber(std::string_view text,
                                TextRange number) const = 0;

  // A number as the target language writes it. Any text is taken.
  virtual Protected Number(std::string_view text, TextRange number) const = 0;

  // The ordinary numbers.
  virtual std::vector<Protected> Numbers(std::string_view text) const = 0;

  // Numbers, and phrases about them, as what a sentence is translated around
  // where the model cannot be brought to keep them.
  virtual std::vector<Protected> NumberPhrases(std::string_view text) const = 0;

  // What to do with a word with letters that the vocabulary does not have:
  // which kind it is of, or none where it had better be left to the model.
  virtual std::optional<ProtectedKind> KindOfRareWord(std::string_view text,
                                                      TextRange word) const = 0;

  virtual LostWords Lost(std::string_view source,
                         std::string_view translation) const = 0;

  // Words that may take the place of one of the kind, the best first; not for
  // kCut and kBesideNext.
  virtual std::span<const std::string_view> StandIns(
      ProtectedKind kind) const = 0;

  // What a word in capitals may be in small letters, the likeliest first.
  virtual std::vector<std::string> SmallForms(std::string_view word) const = 0;

  // A translation that begins like a sentence, as it goes on within one.
  virtual std::string WithinSentence(std::string translation) const = 0;

  // What the target language writes for a pair of marks of the source.
  virtual QuoteMarks TargetQuotes(const QuoteMarks& source) const = 0;

  // What follows a quotation that another clause goes on after ("..., said
  // he"): what closes it, given whether it ends in a mark of its own ("?") and
  // what separates it in the source.
  virtual std::string CloseQuotation(const QuoteMarks& target, bool ended,
                                     std::string_view separator) const = 0;
};

// A row of the table of rules: which pair of languages they are for.
struct RulesRow {
  std::string_view source, target;  // ISO 639-1: "de", "en"
  std::unique_ptr<LanguageRules> (*make)();
};

// The rules of a pair, by `table`; PlainRules where it has no row.
std::unique_ptr<LanguageRules> RulesFor(std::span<const RulesRow> table,
                                        std::string_view source,
                                        std::string_view target);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_RULES_LANGUAGE_RULES_H_
