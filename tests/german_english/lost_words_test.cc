// What a translation must have of its source.

#include "languages/german_english/rules/lost_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "languages/german_english/rules/numbers.h"
#include "languages/german_english/rules/phrases.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

bool IsOrdinary(const std::string& word) {
  return IsOrdinaryNumber(word, {0, word.size()});
}

TEST(IsOrdinaryNumber, HasAGrammar) {
  for (const char* word : {"0", "7", "1999", "123456", "1.250", "123.456",
                           "89,50", "1,9", "14:30", "24:00", "1.234,56"})
    EXPECT_TRUE(IsOrdinary(word)) << word;
  for (const char* word :
       {"",      ",",     "0176",  "1234567", "1.234.567", "3.5.2024", "12.5",
        "1:2",   "3,141", "1,2,3", "14:3",    "x1",        "12a",      "25:00",
        "24:01", "10:60", "24.12", "31.12",   "99.99",     "9.05",     "2:1"})
    EXPECT_FALSE(IsOrdinary(word)) << word;
}

TEST(IsClockTime, NeedsUhrBehindAPoint) {
  EXPECT_TRUE(IsClockTime("um 9.05 Uhr", {3, 7}));
  EXPECT_TRUE(IsClockTime("um 9.05\u00A0Uhr.", {3, 7}));
  EXPECT_FALSE(IsClockTime("um 9.05-Uhr", {3, 7}));
  EXPECT_FALSE(IsClockTime("am 24.12. frei", {3, 8}));
  EXPECT_FALSE(IsClockTime("um 24.12 Uhr", {3, 8}));
  EXPECT_EQ(NumberWord("um 9.05 Uhr", {3, 7}).target, "9:05");
  EXPECT_EQ(NumberWord("am 24.12.", {3, 8}).target, "24.12");
  EXPECT_EQ(NumberWord("99.99", {0, 5}).target, "99.99");
}

std::vector<std::string> Lost(const std::string& german,
                              const std::string& english) {
  std::vector<std::string> lost;
  for (const TextRange& range : LostNumbers(german, english))
    lost.emplace_back(range.In(german));
  return lost;
}

TEST(LostNumbers, AreThoseThatTheTranslationDoesNotHave) {
  EXPECT_THAT(Lost("Am 3. Mai 2021 um 9.15 Uhr für 1.250 Euro",
                   "On May 3, 2021, at 9:15, for 1,250 euros"),
              IsEmpty());
  EXPECT_THAT(Lost("Am 3. Mai 2021", "On May 30, 2012"),
              ElementsAre("3", "2021"));
  EXPECT_THAT(Lost("Er kaufte 2 Eier und 2 Brote.", "He bought 2 eggs."),
              ElementsAre("2"));
  EXPECT_THAT(Lost("Der 2. von 12, am 21.", "The second of twelve, the 21st."),
              IsEmpty());
  EXPECT_THAT(Lost("Um 18 Uhr", "At 18:00"), IsEmpty());
  EXPECT_THAT(Lost("1250 Euro, 89,50", "1,250 euros, 89.50"), IsEmpty());
  EXPECT_THAT(Lost("48.300 Leute", "48300 people"), ElementsAre("48.300"));
  EXPECT_THAT(Lost("89,50 Euro", "8950 euros"), ElementsAre("89,50"));
}

std::vector<std::string> Candidates(const std::string& text) {
  std::vector<std::string> words;
  for (const NameCandidate& name : NameCandidates(text))
    words.push_back(name.word.target);
  return words;
}

TEST(NameCandidates, AreCapitalisedWords) {
  EXPECT_THAT(Candidates("Über Anna-Lena, Köln und (Jürgen)s NATO im Juli!"),
              ElementsAre("Köln", "Jürgen"));
  EXPECT_THAT(Candidates("Der Hund, einen Brief, unsere Katze, Meine Tante"),
              ElementsAre("Meine"));
}

TEST(NameCandidates, AreNotFirstWordsThatMayBeAnything) {
  EXPECT_THAT(Candidates("Bist du Swantje?"), ElementsAre("Swantje"));
  EXPECT_THAT(Candidates("Swantjes Hund"), ElementsAre("Swantje", "Hund"));
}

TEST(NameCandidates, KnowTitlesPlacesAndGenitives) {
  const std::string text = "Kennt Herr Obermeier Wiebkes Bruder in Celle?";
  const std::vector<NameCandidate> names = NameCandidates(text);
  ASSERT_EQ(names.size(), 5u);  // with Herr and Bruder
  EXPECT_EQ(names[1].word.target, "Obermeier");
  EXPECT_TRUE(names[1].certain);
  EXPECT_EQ(names[1].word.kind, ProtectedKind::kPerson);
  EXPECT_EQ(names[2].word.target, "Wiebke");
  EXPECT_EQ(names[2].word.range.In(text), "Wiebke");
  EXPECT_FALSE(names[2].certain);
  EXPECT_EQ(names[4].word.target, "Celle");
  EXPECT_EQ(names[4].word.kind, ProtectedKind::kPlace);
}

TEST(LostNames, AreThoseThatTheTranslationDoesNotHave) {
  const auto lost = LostNames("Wiebkes Bruder traf Enno und Swantje.",
                              "Wiebke's brother met Eno and Swantje.");
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_EQ(lost[0].word.target, "Bruder");
  EXPECT_EQ(lost[1].word.target, "Enno");
}

TEST(DateWords, AreTranslatedByRule) {
  const std::string text =
      "Vom 3. Mai 2021 bis zum 5. Juni, und am 30. November 1998 um 9 Uhr.";
  std::vector<std::string> dates;
  for (const Protected& date : DateWords(text)) {
    dates.push_back(std::string(date.range.In(text)) + " = " + date.target);
  }
  EXPECT_THAT(dates,
              ElementsAre("3. Mai 2021 = May 3, 2021", "5. Juni = June 5",
                          "am 30. November 1998 = on November 30, 1998"));
  EXPECT_EQ(DateWords("Am 3. Mai").at(0).target, "On May 3");
  EXPECT_THAT(DateWords("3 Mai, Mai 3. 123. Mai 2021"), IsEmpty());
}

std::vector<std::string> Phrases(const std::string& text) {
  std::vector<std::string> phrases;
  for (const Protected& phrase : AbbreviatedPhrases(text))
    phrases.push_back(std::string(phrase.range.In(text)) + " = " +
                      phrase.target);
  return phrases;
}

TEST(AbbreviatedPhrases, AreMeasures) {
  EXPECT_THAT(Phrases("Er lief 100 m in 9,58 s, mit 5kg und 50 % mehr."),
              ElementsAre("100 m = 100 m", "9,58 s = 9.58 s", "5kg = 5kg",
                          "50 % = 50%"));
  EXPECT_THAT(Phrases("Das kostet 1.250,50 €!"),
              ElementsAre("1.250,50 € = €1,250.50"));
  EXPECT_THAT(Phrases("3 mal 4 Meter, am 3. Mai um 9 Uhr"), IsEmpty());
}

TEST(AbbreviatedPhrases, AreLeftOutBeforeWhatTheyMeasure) {
  EXPECT_EQ(AbbreviatedPhrases("12 km lang").at(0).kind,
            ProtectedKind::kBesideNext);
  EXPECT_EQ(AbbreviatedPhrases("12 km in einer Stunde").at(0).kind,
            ProtectedKind::kNumber);
}

TEST(AbbreviatedPhrases, AreAdverbsAndNumbers) {
  EXPECT_THAT(Phrases("Obst, z. B. Birnen, d.h. ca. 300, usw."),
              ElementsAre("z. B. = e.g.", "d.h. = i.e.", "ca. 300 = about 300",
                          "usw. = etc."));
  EXPECT_THAT(Phrases("Nr. 7 um halb eins im 21. Jahrhundert"),
              ElementsAre("Nr. 7 = No. 7", "halb eins = half past twelve",
                          "im 21. Jahrhundert = the 21st century"));
}

TEST(AbbreviatedPhrases, AreNamesWithTitlesAndNumbers) {
  EXPECT_THAT(Phrases("Prof. Dr. Weber traf Papst Paul VI. und Otto I."),
              ElementsAre("Prof. Dr. Weber = Prof. Dr. Weber",
                          "Papst Paul VI. = Pope Paul VI", "Otto I = Otto I"));
  EXPECT_THAT(Phrases("Frau Weber, König Fußball, Ich. I. II."), IsEmpty());
}

TEST(IsLoanword, HasAnArticleAndFrenchLetters) {
  EXPECT_TRUE(IsLoanword("im Café", {3, 8}));
  EXPECT_FALSE(IsLoanword("mit René", {4, 9}));
  EXPECT_FALSE(IsLoanword("der Łukasz", {4, 11}));
}

}  // namespace
}  // namespace keylens::german_english
