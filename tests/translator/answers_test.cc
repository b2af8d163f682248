#include "systems/translator/scores/answers.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "src/base/error.h"

namespace keylens::translator {
namespace {

TEST(ComparableText, LeavesCasePunctuationAndContractionsOut) {
  EXPECT_EQ(ComparableText("I'm hungry!"), ComparableText("i am hungry"));
  EXPECT_EQ(ComparableText("I don’t know — yet."),
            ComparableText("I do not know yet"));
  EXPECT_EQ(ComparableText("I can't."), ComparableText("I cannot"));
  EXPECT_EQ(ComparableText("\"Let's go.\""), ComparableText("Let us go"));
  EXPECT_NE(ComparableText("He's here."), ComparableText("He is here."));
  EXPECT_NE(ComparableText("I go."), ComparableText("I want to go."));
}

TEST(ParseQuestions, ReadsAnswersAndRefusesLinesWithout) {
  const auto questions = ParseQuestions("Hund\tdog|hound\nJa\tYes.", "file");
  ASSERT_EQ(questions.size(), 2);
  EXPECT_TRUE(IsRight(questions[0], "Hound"));
  EXPECT_FALSE(IsRight(questions[0], "cat"));
  EXPECT_TRUE(IsRight(questions[1], "yes"));
  for (const char* bad : {"", "Hund", "Hund\t", "\tdog", "Hund\t|\n", "\n"})
    EXPECT_THROW(ParseQuestions(bad, "file"), Error) << bad;
}

TEST(Questions, OfTheRepositoryAreHundredAndFifty) {
  const std::string folder = KEYLENS_SOURCE_DIR "/tests/translator/data/";
  const auto everyday = ReadQuestions(folder + "everyday.tsv");
  const auto nouns = ReadQuestions(folder + "nouns.tsv");
  EXPECT_EQ(everyday.size(), 100);
  EXPECT_EQ(nouns.size(), 50);
  std::set<std::string> german;
  for (const Question& question : everyday) german.insert(question.german);
  for (const Question& question : nouns) german.insert(question.german);
  EXPECT_EQ(german.size(), 150);
  for (const char* asked :
       {"Wie geht es dir?", "Wo ist der Bahnhof?", "Ich habe Hunger.",
        "Es tut mir leid.", "Kannst du mir helfen?",
        "Ich weiß nicht, was ich tun soll.", "Wie viel kostet das?"})
    EXPECT_TRUE(german.contains(asked)) << asked;
}

}  // namespace
}  // namespace keylens::translator
