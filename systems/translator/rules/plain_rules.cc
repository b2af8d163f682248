#include "systems/translator/rules/plain_rules.h"

#include <algorithm>

#include "systems/translator/rules/sentence_splitter.h"
#include "systems/translator/text/normal_form.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kMostDigits = 6;

// Names and numbers that a model of any everyday text knows.
constexpr std::string_view kNames[] = {"Tom", "Boston", "London", "Paris",
                                       "Berlin"};
constexpr std::string_view kNumbers[] = {"20", "30", "50", "15", "12"};

// An initial or a short number may be followed by anything.
class PlainPoints : public PointRules {
 public:
  bool IsAmbiguous(std::string_view word) const override {
    const auto characters = CharactersOf(word);
    return characters.size() == 1 ||
           (characters.size() == 2 && IsAsciiDigit(characters[0].code) &&
            IsAsciiDigit(characters[1].code));
  }
  bool BeginsSentence(std::string_view) const override { return false; }
};

}  // namespace

std::vector<TextRange> PlainRules::Sentences(std::string_view text) const {
  return SplitSentences(text, PlainPoints());
}

std::vector<Protected> PlainRules::WordsToKeep(std::string_view) const {
  return {};
}

bool PlainRules::IsOrdinaryNumber(std::string_view text,
                                  TextRange number) const {
  const std::string_view digits = number.In(text);
  return !digits.empty() && digits.size() <= kMostDigits &&
         std::all_of(digits.begin(), digits.end(), [](char c) {
           return IsAsciiDigit(static_cast<unsigned char>(c));
         });
}

Protected PlainRules::Number(std::string_view text, TextRange number) const {
  return {number, ProtectedKind::kNumber, std::string(number.In(text))};
}

std::vector<Protected> PlainRules::Numbers(std::string_view) const {
  return {};
}

std::vector<Protected> PlainRules::NumberPhrases(std::string_view) const {
  return {};
}

std::optional<ProtectedKind> PlainRules::KindOfRareWord(std::string_view,
                                                        TextRange) const {
  return ProtectedKind::kName;
}

LostWords PlainRules::Lost(std::string_view, std::string_view) const {
  return {};
}

std::span<const std::string_view> PlainRules::StandIns(
    ProtectedKind kind) const {
  switch (kind) {
    case ProtectedKind::kNumber:
    case ProtectedKind::kYear:
    case ProtectedKind::kClockTime:
      return kNumbers;
    default:
      return kNames;
  }
}

std::vector<std::string> PlainRules::SmallForms(std::string_view word) const {
  return {InSmallLetters(word)};
}

std::string PlainRules::WithinSentence(std::string translation) const {
  return translation;
}

QuoteMarks PlainRules::TargetQuotes(const QuoteMarks& source) const {
  return source;
}

std::string PlainRules::CloseQuotation(const QuoteMarks& target, bool,
                                       std::string_view separator) const {
  return target.close + std::string(separator);
}

std::unique_ptr<LanguageRules> RulesFor(std::span<const RulesRow> table,
                                        std::string_view source,
                                        std::string_view target) {
  for (const RulesRow& row : table)
    if (row.source == source && row.target == target) return row.make();
  return std::make_unique<PlainRules>();
}

}  // namespace keylens::translator
