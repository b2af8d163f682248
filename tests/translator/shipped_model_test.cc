// The translator that ships, on what it was written down that it should know.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systems/translator/lines/numbers.h"
#include "systems/translator/pipeline.h"
#include "systems/translator/scores/evaluate.h"

namespace keylens::translator {
namespace {

const std::string kData = KEYLENS_SOURCE_DIR "/tests/translator/data/";

class ShippedModelTest : public testing::Test {
 protected:
  static const Pipeline& Shipped() {
    static const Pipeline pipeline =
        Pipeline::Load(KEYLENS_SOURCE_DIR "/models/german-english");
    return pipeline;
  }

  static AnswerScore Answers(const std::string& file) {
    return EvaluateAnswers(Shipped(), ReadQuestions(kData + file), {});
  }

  static std::string Listed(const AnswerScore& score) {
    std::string text;
    for (const WrongAnswer& answer : score.wrong)
      text += answer.german + " -> " + answer.translation + "\n";
    return text;
  }
};

TEST_F(ShippedModelTest, KnowsEverydaySentences) {
  const AnswerScore score = Answers("everyday.tsv");
  EXPECT_EQ(score.questions, 100);
  EXPECT_GE(score.right, 85) << Listed(score);
}

TEST_F(ShippedModelTest, KnowsSingleNouns) {
  const AnswerScore score = Answers("nouns.tsv");
  EXPECT_EQ(score.questions, 50);
  EXPECT_GE(score.right, 40) << Listed(score);
}

// Names that are in no text that it was trained on.
TEST_F(ShippedModelTest, CarriesOverNamesAndNumbers) {
  const AnswerScore score = Answers("names_and_numbers.tsv");
  EXPECT_EQ(score.questions, 40);
  EXPECT_GE(score.right, 17) << Listed(score);
}

// Whatever else becomes of a sentence, its numbers are there.
TEST_F(ShippedModelTest, LosesNoNumber) {
  std::vector<std::string> lines;
  for (const Question& question :
       ReadQuestions(kData + "names_and_numbers.tsv"))
    lines.push_back(question.german);
  const auto translations = Shipped().Translate(lines, {});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(LostNumbers(lines[i], translations[i].text).empty())
        << lines[i] << " -> " << translations[i].text;
  }
}

TEST_F(ShippedModelTest, TranslatesSentencesWithNamesAndDates) {
  const std::vector<std::string> lines = {
      "Frau Müller wohnt in Leipzig.",
      "Am 3. Mai 2021 hat Anna in Leipzig ein Haus gekauft."};
  const auto translations = Shipped().Translate(lines, {});
  EXPECT_EQ(translations[0].text, "Mrs. Müller lives in Leipzig.");
  EXPECT_EQ(translations[1].text,
            "On May 3, 2021, Anna bought a house in Leipzig.");
}

TEST_F(ShippedModelTest, KnowsTheSentencesThatWereAskedFor) {
  std::vector<Question> asked;
  for (const Question& question : ReadQuestions(kData + "everyday.tsv")) {
    for (const char* sentence :
         {"Wie geht es dir?", "Wo ist der Bahnhof?", "Ich habe Hunger.",
          "Es tut mir leid.", "Kannst du mir helfen?",
          "Ich weiß nicht, was ich tun soll.", "Wie viel kostet das?"})
      if (question.german == sentence) asked.push_back(question);
  }
  ASSERT_EQ(asked.size(), 7);
  const AnswerScore score = EvaluateAnswers(Shipped(), asked, {});
  EXPECT_EQ(score.right, 7) << Listed(score);
}

// Word order is the same on both sides.
TEST_F(ShippedModelTest, LinksWordsWithTheirOrigin) {
  TranslateSettings settings;
  settings.alignment = true;
  const std::vector<std::string> lines = {"Mein Bruder hat ein rotes Auto."};
  const Translation translation = Shipped().Translate(lines, settings)[0];
  ASSERT_EQ(translation.text, "My brother has a red car.");
  const std::vector<WordLink> expected = {{0, 0}, {1, 1}, {2, 2},
                                          {3, 3}, {4, 4}, {5, 5}};
  int right = 0;
  for (const WordLink& link : translation.alignment)
    for (const WordLink& wanted : expected) right += link == wanted ? 1 : 0;
  EXPECT_GE(right, 5) << PharaohText(translation.alignment);
}

}  // namespace
}  // namespace keylens::translator
