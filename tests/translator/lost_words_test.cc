// What a translation must have of its source.

#include "systems/translator/lines/lost_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systems/translator/lines/numbers.h"

namespace keylens::translator {
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

TEST(IsOrdinaryNumber, HasAGrammar) {
  for (const char* word : {"0", "7", "1999", "123456", "1.250", "123.456",
                           "89,50", "1,9", "14:30", "9.05", "1.234,56"})
    EXPECT_TRUE(IsOrdinaryNumber(word)) << word;
  for (const char* word :
       {"", ",", "0176", "1234567", "1.234.567", "3.5.2024", "12.5", "1:2",
        "3,141", "1,2,3", "14:3", "x1", "12a"})
    EXPECT_FALSE(IsOrdinaryNumber(word)) << word;
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
              ElementsAre("Über", "Köln", "Jürgen"));
  EXPECT_THAT(Candidates("Der Hund, einen Brief, unsere Katze, Meine Tante"),
              ElementsAre("Der", "Meine"));
}

TEST(NameCandidates, KnowTitlesPlacesAndGenitives) {
  const std::string text = "Kennt Herr Obermeier Wiebkes Bruder in Celle?";
  const std::vector<NameCandidate> names = NameCandidates(text);
  ASSERT_EQ(names.size(), 6u);  // with Kennt, Herr and Bruder
  EXPECT_EQ(names[2].word.target, "Obermeier");
  EXPECT_TRUE(names[2].titled);
  EXPECT_EQ(names[2].word.kind, ProtectedKind::kPerson);
  EXPECT_EQ(names[3].word.target, "Wiebke");
  EXPECT_EQ(names[3].word.range.In(text), "Wiebke");
  EXPECT_FALSE(names[3].titled);
  EXPECT_EQ(names[5].word.target, "Celle");
  EXPECT_EQ(names[5].word.kind, ProtectedKind::kPlace);
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

TEST(HasWord, IsAboutWholeWords) {
  EXPECT_TRUE(HasWord("Visit Köln.", "Köln"));
  EXPECT_TRUE(HasWord("Anna's dog", "Anna"));
  EXPECT_FALSE(HasWord("Visit Kölner.", "Köln"));
}

TEST(ResemblesName, IsAboutLettersInOrder) {
  EXPECT_TRUE(ResemblesName("Hagedorn", "Hagedorn"));
  EXPECT_TRUE(ResemblesName("Hagednorn", "Hagedorn"));
  EXPECT_TRUE(ResemblesName("Thorna", "Thorben"));
  EXPECT_FALSE(ResemblesName("hagedorn", "Hagedorn"));
  EXPECT_FALSE(ResemblesName("White", "Wuppertal"));
  EXPECT_FALSE(ResemblesName("", "Enno"));
  EXPECT_FALSE(ResemblesName("Enno", ""));
}

}  // namespace
}  // namespace keylens::translator
