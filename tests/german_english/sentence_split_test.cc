#include "languages/german_english/rules/sentence_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "systems/translator/text/white_space.h"

namespace keylens::german_english {
namespace {

using translator::SplitAtWhiteSpace;
using translator::TextRange;

using testing::ElementsAre;

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> sentences;
  for (const TextRange& range : SplitSentences(text))
    sentences.emplace_back(range.In(text));
  return sentences;
}

TEST(SplitSentences, EndsThemAtFullStops) {
  EXPECT_THAT(Split("Ich bin da. Wo bist du? Komm! "),
              ElementsAre("Ich bin da.", "Wo bist du?", "Komm!"));
  EXPECT_THAT(Split("Kein Punkt am Ende"), ElementsAre("Kein Punkt am Ende"));
  EXPECT_THAT(Split("  \t "), ElementsAre());
  EXPECT_THAT(Split("Eins.Zwei"), ElementsAre("Eins.Zwei"));
}

TEST(SplitSentences, GoesOnAfterAbbreviations) {
  EXPECT_THAT(Split("Er isst z. B. Brot. Dr. Weber kommt bzw. geht."),
              ElementsAre("Er isst z. B. Brot.", "Dr. Weber kommt bzw. geht."));
  EXPECT_THAT(Split("Äpfel, Birnen usw. Ich mag alles."),
              ElementsAre("Äpfel, Birnen usw.", "Ich mag alles."));
  EXPECT_THAT(Split("Das ist J. S. Bach."), ElementsAre("Das ist J. S. Bach."));
}

TEST(SplitSentences, GoesOnAfterOrdinals) {
  EXPECT_THAT(Split("Am 3. Mai ist sie da. Am 21. Oktober nicht."),
              ElementsAre("Am 3. Mai ist sie da.", "Am 21. Oktober nicht."));
  EXPECT_THAT(Split("Ich bin 30. Du bist 20."),
              ElementsAre("Ich bin 30.", "Du bist 20."));
  EXPECT_THAT(Split("Das war 1990. Berlin war neu."),
              ElementsAre("Das war 1990.", "Berlin war neu."));
}

TEST(SplitSentences, KeepsQuotesWithTheirSentence) {
  EXPECT_THAT(Split("„Komm!“ Er kam. „Geh!“, sagte sie. „Ja“, sagte er."),
              ElementsAre("„Komm!“", "Er kam.", "„Geh!“, sagte sie.",
                          "„Ja“, sagte er."));
  EXPECT_THAT(Split("„Wo bist du?“ fragte er. (Nein.) Doch."),
              ElementsAre("„Wo bist du?“ fragte er.", "(Nein.)", "Doch."));
}

TEST(SplitSentences, EndsThemAtAnEllipsisBeforeACapital) {
  EXPECT_THAT(
      Split("Ich weiß... nicht... Vielleicht… Ja?! Gut."),
      ElementsAre("Ich weiß... nicht...", "Vielleicht…", "Ja?!", "Gut."));
}

// Whatever the bytes: ranges in order, and only white space left out.
TEST(SplitSentences, LosesNothing) {
  std::mt19937 random(7);
  const std::string alphabet = "aA1.!? \"\xC3\xBC\xE2\x80\xA6\n";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = random() % 40; i > 0; --i)
      text += alphabet[random() % alphabet.size()];
    std::size_t at = 0;
    for (const TextRange& range : SplitSentences(text)) {
      ASSERT_LE(at, range.begin);
      ASSERT_LT(range.begin, range.end);
      const std::string between = text.substr(at, range.begin - at);
      ASSERT_THAT(SplitAtWhiteSpace(between), ElementsAre()) << text;
      at = range.end;
    }
    ASSERT_THAT(SplitAtWhiteSpace(text.substr(at)), ElementsAre()) << text;
  }
}

}  // namespace
}  // namespace keylens::german_english
