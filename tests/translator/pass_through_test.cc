#include "systems/translator/pass_through.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systems/translator/names.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;

// A vocabulary of Latin letters.
bool KnowsLatin(std::string_view character) {
  return character.size() <= 2 || character == "„" || character == "“";
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  for (const Protected& found : FindProtected(text, KnowsLatin))
    words.emplace_back(found.range.In(text));
  return words;
}

TEST(FindProtected, FindsAddresses) {
  EXPECT_THAT(Words("Siehe https://example.org/a_b?c=1, schreib an "
                    "„max@example.de“ oder (www.example.com)."),
              ElementsAre("https://example.org/a_b?c=1", "max@example.de",
                          "www.example.com"));
  EXPECT_THAT(Words("Auf example.org/pfad/ und in /etc/hosts, #berlin!"),
              ElementsAre("example.org/pfad/", "/etc/hosts", "#berlin"));
}

TEST(FindProtected, LeavesOrdinaryWords) {
  EXPECT_THAT(Words("Er isst z.B. 3 Äpfel und/oder 12 Birnen (usw.), „ja“."),
              ElementsAre());
  EXPECT_THAT(Words("Das ist der 19-jährige Sohn."), ElementsAre());
  EXPECT_THAT(Words("Ende.Anfang"), ElementsAre());
}

TEST(FindProtected, FindsNumbersOfThreeDigits) {
  EXPECT_THAT(Words("1.234,56 Euro im Jahr 1999 um 14:30 mit GTX1080."),
              ElementsAre("1.234,56", "1999", "14:30", "GTX1080"));
}

TEST(FindProtected, FindsWhatTheVocabularyNeverSaw) {
  EXPECT_THAT(Words("Ich war in 東京, toll😀👍! Ja."), ElementsAre("東京", "😀👍"));
  EXPECT_THAT(Words("Ein \xEF\xBF\xBD Zeichen"), ElementsAre("\xEF\xBF\xBD"));
  const std::string endless(10000, 'a');
  EXPECT_THAT(Words(endless), ElementsAre(endless));
}

TEST(EnglishNumber, SwapsPointsAndCommas) {
  EXPECT_EQ(EnglishNumber("1.234,56"), "1,234.56");
  EXPECT_EQ(EnglishNumber("12.345.678"), "12,345,678");
  EXPECT_EQ(EnglishNumber("3,14"), "3.14");
  EXPECT_EQ(EnglishNumber("1999"), "1999");
  EXPECT_EQ(EnglishNumber("3.5.2024"), "3.5.2024");
  EXPECT_EQ(EnglishNumber("1,2,3"), "1,2,3");
  EXPECT_EQ(EnglishNumber("14:30"), "14:30");
  EXPECT_EQ(EnglishNumber("192.168.10.1"), "192.168.10.1");
  EXPECT_EQ(EnglishNumber(","), ",");
}

Disguised DisguiseAll(const std::string& text) {
  return Disguise(text, FindProtected(text, KnowsLatin)).value();
}

TEST(Disguise, TakesWordsOutAndPutsThemBack) {
  const Disguised disguised =
      DisguiseAll("Besuche example.org oder schreib a@b.de bis 2025.");
  EXPECT_EQ(disguised.text, "Besuche Tom oder schreib Boston bis 20.");
  EXPECT_EQ(
      Undisguise("By 20, write to Boston or visit Tom.", disguised.stand_ins),
      "By 2025, write to a@b.de or visit example.org.");
}

TEST(Disguise, UsesNoNameThatTheTextHas) {
  EXPECT_EQ(DisguiseAll("Tom mag example.org.").text, "Tom mag Boston.");
}

TEST(Disguise, GivesUpWhereStandInsRunOut) {
  const std::string text = "a@b.de c@d.de e@f.de g@h.de i@j.de k@l.de";
  EXPECT_FALSE(Disguise(text, FindProtected(text, KnowsLatin)));
}

TEST(CapitalisedWords, MayBeNames) {
  std::vector<std::string> words;
  for (const Protected& word :
       CapitalisedWords("Über Anna-Lena, Köln und (Jürgen)s NATO im Juli!"))
    words.push_back(word.target);
  EXPECT_THAT(words, ElementsAre("Über", "Köln", "Jürgen", "Juli"));
  EXPECT_TRUE(HasWord("Visit Köln.", "Köln"));
  EXPECT_FALSE(HasWord("Visit Kölner.", "Köln"));
}

TEST(MergedWords, KeepsTheFirstWhereTheyOverlap) {
  const std::vector<Protected> first = {{{4, 8}, ProtectedKind::kName, "a"}};
  const std::vector<Protected> second = {{{9, 10}, ProtectedKind::kName, "b"},
                                         {{5, 6}, ProtectedKind::kName, "c"},
                                         {{0, 4}, ProtectedKind::kName, "d"}};
  std::vector<std::string> merged;
  for (const Protected& word : MergedWords(first, second))
    merged.push_back(word.target);
  EXPECT_THAT(merged, ElementsAre("d", "a", "b"));
}

TEST(Undisguise, NeedsEachStandInOnce) {
  const auto stand_ins = DisguiseAll("Besuche example.org.").stand_ins;
  EXPECT_FALSE(Undisguise("Visit him.", stand_ins));
  EXPECT_FALSE(Undisguise("Tom, visit Tom.", stand_ins));
  EXPECT_FALSE(Undisguise("Visit Tommy.", stand_ins));
  EXPECT_EQ(Undisguise("Tom's page", stand_ins), "example.org's page");
}

}  // namespace
}  // namespace keylens::translator
