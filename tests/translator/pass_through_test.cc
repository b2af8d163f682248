#include "systems/translator/lines/pass_through.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systems/translator/lines/lost_words.h"

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

TEST(FindProtected, FindsNumbersThatAreNoOrdinaryOnes) {
  EXPECT_THAT(Words("1.234,56 Euro im Jahr 1999 um 14:30 mit GTX1080."),
              ElementsAre("GTX1080"));
  EXPECT_THAT(
      Words("Ruf 0176 4432981 an, 3.5.2024, 192.168.10.1, 1990-1999."),
      ElementsAre("0176", "4432981", "3.5.2024", "192.168.10.1", "1990-1999"));
}

TEST(FindProtected, FindsWhatTheVocabularyNeverSaw) {
  EXPECT_THAT(Words("Ich war in 東京, toll😀👍! Ja."), ElementsAre("東京", "😀👍"));
  EXPECT_THAT(Words("Ein \xEF\xBF\xBD Zeichen"), ElementsAre("\xEF\xBF\xBD"));
  const std::string endless(10000, 'a');
  EXPECT_THAT(Words(endless), ElementsAre(endless));
}

Disguised DisguiseAll(const std::string& text) {
  return Disguise(text, FindProtected(text, KnowsLatin)).value();
}

TEST(Disguise, TakesWordsOutAndPutsThemBack) {
  const Disguised disguised =
      DisguiseAll("Besuche example.org oder schreib a@b.de bis 20255555.");
  EXPECT_EQ(disguised.text, "Besuche Tom oder schreib Boston bis 20.");
  EXPECT_EQ(
      Undisguise("By 20, write to Boston or visit Tom.", disguised.stand_ins),
      "By 20255555, write to a@b.de or visit example.org.");
}

TEST(Disguise, UsesNoNameThatTheTextHas) {
  EXPECT_EQ(DisguiseAll("Tom mag example.org.").text, "Tom mag Boston.");
}

TEST(Disguise, GivesUpWhereStandInsRunOut) {
  const std::string text = "a@b.de c@d.de e@f.de g@h.de i@j.de k@l.de";
  EXPECT_FALSE(Disguise(text, FindProtected(text, KnowsLatin)));
}

TEST(Disguise, TakesAStandInOfTheKind) {
  const std::string text = "Anna war 1987 um 14.35 Uhr in Ulm.";
  const std::vector<Protected> words = {
      {{0, 4}, ProtectedKind::kPerson, "Anna"},
      NumberWord({9, 13}, "1987"),
      NumberWord({17, 22}, "14.35"),
      {{30, 33}, ProtectedKind::kPlace, "Ulm"}};
  const Disguised disguised = Disguise(text, words).value();
  EXPECT_EQ(disguised.text, "Tom war 2010 um 10:30 Uhr in Boston.");
  EXPECT_EQ(
      Undisguise("In 2010, at 10:30, Tom was in Boston.", disguised.stand_ins),
      "In 1987, at 14:35, Anna was in Ulm.");
}

TEST(Disguise, UsesNoStandInTwice) {
  const std::vector<Protected> words = {{{0, 1}, ProtectedKind::kPlace, "A"},
                                        {{2, 3}, ProtectedKind::kName, "B"},
                                        {{4, 5}, ProtectedKind::kPerson, "C"}};
  EXPECT_EQ(Disguise("A B C", words)->text, "Boston Tom Anna");
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
