#include "languages/german_english/rules/german_english_rules.h"

#include "languages/german_english/rules/lost_words.h"
#include "languages/german_english/rules/numbers.h"
#include "languages/german_english/rules/phrases.h"
#include "languages/german_english/rules/sentence_split.h"
#include "systems/translator/text/normal_form.h"
#include "systems/translator/text/text_words.h"

namespace keylens::german_english {
namespace {

using translator::LostWords;
using translator::QuoteMarks;

// Names and numbers that a model of everyday German and English knows, and that
// are the same in both.
constexpr std::string_view kNames[] = {"Tom", "Boston", "London", "Paris",
                                       "Berlin"};
constexpr std::string_view kPersons[] = {"Tom", "Anna", "Peter", "Paul",
                                         "Emma"};
constexpr std::string_view kPlaces[] = {"Boston", "London", "Paris", "Berlin",
                                        "Hamburg"};
constexpr std::string_view kNumbers[] = {"20", "30", "50", "15", "12"};
constexpr std::string_view kYears[] = {"2010", "1995", "2005", "1980", "2020"};
constexpr std::string_view kClockTimes[] = {"10:30", "9:15", "8:45", "7:30",
                                            "12:15"};

class GermanEnglishRules : public translator::LanguageRules {
 public:
  std::vector<TextRange> Sentences(std::string_view text) const override {
    return SplitSentences(text);
  }
  std::vector<Protected> WordsToKeep(std::string_view text) const override {
    return AbbreviatedPhrases(text);
  }
  bool IsOrdinaryNumber(std::string_view text,
                        TextRange number) const override {
    return german_english::IsOrdinaryNumber(text, number);
  }
  Protected Number(std::string_view text, TextRange number) const override {
    return NumberWord(text, number);
  }
  std::vector<Protected> Numbers(std::string_view text) const override {
    return NumberWords(text);
  }
  std::vector<Protected> NumberPhrases(std::string_view text) const override {
    return translator::MergedWords(DateWords(text), NumberWords(text));
  }
  std::optional<ProtectedKind> KindOfRareWord(std::string_view text,
                                              TextRange word) const override {
    if (IsLoanword(text, word)) return std::nullopt;
    return NameKind(text, word);
  }
  LostWords Lost(std::string_view source,
                 std::string_view translation) const override {
    return {LostNames(source, translation),
            LostNumberWords(source, translation)};
  }
  std::span<const std::string_view> StandIns(ProtectedKind kind) const override;
  std::vector<std::string> SmallForms(std::string_view word) const override;
  std::string WithinSentence(std::string translation) const override;
  QuoteMarks TargetQuotes(const QuoteMarks& source) const override;
  std::string CloseQuotation(const QuoteMarks& target, bool ended,
                             std::string_view separator) const override;
};

std::span<const std::string_view> GermanEnglishRules::StandIns(
    ProtectedKind kind) const {
  switch (kind) {
    case ProtectedKind::kPerson:
      return kPersons;
    case ProtectedKind::kPlace:
      return kPlaces;
    case ProtectedKind::kNumber:
      return kNumbers;
    case ProtectedKind::kYear:
      return kYears;
    case ProtectedKind::kClockTime:
      return kClockTimes;
    case ProtectedKind::kName:
    case ProtectedKind::kCut:
    case ProtectedKind::kBesideNext:
      break;
  }
  return kNames;
}

// In capitals ß is SS.
std::vector<std::string> GermanEnglishRules::SmallForms(
    std::string_view word) const {
  const std::string small = translator::InSmallLetters(word);
  std::vector<std::string> forms = {small};
  for (std::size_t at = small.find("ss"); at != small.npos;
       at = small.find("ss", at + 2))
    forms.push_back(translator::WithReplaced(small, {at, at + 2}, "ß"));
  return forms;
}

std::string GermanEnglishRules::WithinSentence(std::string translation) const {
  const bool is_i = translation == "I" || translation.starts_with("I ") ||
                    translation.starts_with("I'");
  return is_i ? translation : translator::WithSmallInitial(translation);
}

// Straight quotes stay.
QuoteMarks GermanEnglishRules::TargetQuotes(const QuoteMarks& source) const {
  if (source.open == "\"" || source.open == "'") return source;
  const bool single = source.open == "‚" || source.open == "‘" ||
                      source.open == "›" || source.open == "‹";
  return single ? QuoteMarks{"‘", "’"} : QuoteMarks{"“", "”"};
}

// English has its comma within the quotes, and none behind a mark.
std::string GermanEnglishRules::CloseQuotation(
    const QuoteMarks& target, bool ended, std::string_view separator) const {
  return (ended ? "" : std::string(separator)) + target.close;
}

}  // namespace

std::unique_ptr<translator::LanguageRules> MakeRules() {
  return std::make_unique<GermanEnglishRules>();
}

}  // namespace keylens::german_english
