// The translator that ships, on what it was written down that it should know.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "languages/german_english/rules/numbers.h"
#include "languages/rules_table.h"
#include "systems/translator/pipeline.h"
#include "systems/translator/scores/evaluate.h"

namespace keylens::translator {
namespace {

const std::string kData = KEYLENS_SOURCE_DIR "/tests/translator/data/";

class ShippedModelTest : public testing::Test {
 protected:
  static const Pipeline& Shipped() {
    static const Pipeline pipeline = Pipeline::Load(
        KEYLENS_SOURCE_DIR "/models/german-english", languages::RulesTable());
    return pipeline;
  }

  static AnswerScore Answers(const std::string& file) {
    return EvaluateAnswers(Shipped(), ReadQuestions(kData + file), {});
  }

  static std::string Of(const std::string& line) {
    return Shipped().Translate(std::vector<std::string>{line}, {})[0].text;
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

// A development set: the second stage of training and the mending of names and
// numbers were made with an eye on it.
TEST_F(ShippedModelTest, CarriesOverNamesAndNumbers) {
  const AnswerScore score = Answers("names_and_numbers_dev.tsv");
  EXPECT_EQ(score.questions, 40);
  EXPECT_GE(score.right, 17) << Listed(score);
}

// Whatever else becomes of a sentence, its numbers are there.
TEST_F(ShippedModelTest, LosesNoNumber) {
  std::vector<std::string> lines;
  for (const Question& question :
       ReadQuestions(kData + "names_and_numbers_dev.tsv"))
    lines.push_back(question.german);
  const auto translations = Shipped().Translate(lines, {});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(
        german_english::LostNumbers(lines[i], translations[i].text).empty())
        << lines[i] << " -> " << translations[i].text;
  }
}

TEST_F(ShippedModelTest, TranslatesSentencesWithNames) {
  EXPECT_EQ(Of("Frau Müller wohnt in Leipzig."),
            "Mrs. Müller lives in Leipzig.");
}

struct Wrapping {
  const char *before, *after, *english_before, *english_after;
};

constexpr Wrapping kWrappings[] = {
    {"\"", "\"", "\"", "\""},       {"„", "“", "“", "”"},
    {"»", "«", "“", "”"},           {"(", ")", "(", ")"},
    {"[", "]", "[", "]"},           {"# ", "", "# ", ""},
    {"> ", "", "> ", ""},           {"* ", "", "* ", ""},
    {"- [ ] ", "", "- [ ] ", ""},   {"**", "**", "**", "**"},
    {"_", "_", "_", "_"},           {"`", "`", "`", "`"},
    {"<b>", "</b>", "<b>", "</b>"}, {"> **„", "“**", "> **“", "”**"}};

// Whatever stands around a sentence, its translation is the same.
TEST_F(ShippedModelTest, TranslatesWhatMarksEnclose) {
  const auto questions = ReadQuestions(kData + "everyday.tsv");
  for (std::size_t i = 0; i < questions.size(); i += 9) {
    const std::string& german = questions[i].german;
    const std::string english = Of(german);
    for (const Wrapping& wrap : kWrappings) {
      EXPECT_EQ(Of(wrap.before + german + wrap.after),
                wrap.english_before + english + wrap.english_after);
    }
  }
}

TEST_F(ShippedModelTest, CarriesOverPlaceholders) {
  for (const std::string one :
       {"%s", "%1$s", "{0}", "{name}", "{{name}}", "${name}", "%(name)s"}) {
    EXPECT_NE(Of("Die Datei " + one + " wurde nicht gefunden.").find(one),
              std::string::npos);
    EXPECT_NE(Of("Hallo " + one + ", wie geht es dir?").find(one),
              std::string::npos);
  }
}

TEST_F(ShippedModelTest, CarriesOverNamesWithRareLetters) {
  for (const std::string name :
       {"Łukasz", "Šárka", "François", "Søren", "Nuñez", "Łukasz Żółć"})
    EXPECT_NE(Of("Mein Freund " + name + " wohnt in Berlin.").find(name),
              std::string::npos);
}

TEST_F(ShippedModelTest, TranslatesCapitals) {
  EXPECT_EQ(Of("ICH HABE HUNGER."), "I'M HUNGRY.");
  EXPECT_EQ(Of("WO IST DER BAHNHOF?"), "WHERE IS THE STATION?");
}

TEST_F(ShippedModelTest, SeesWhatDoesNotShowInNoSentence) {
  EXPECT_EQ(Of("Wo ist der Schlu\u0308ssel?"), Of("Wo ist der Schlüssel?"));
  EXPECT_EQ(Of("Meine Mutter arbeitet im Kranken\u00ADhaus."),
            Of("Meine Mutter arbeitet im Krankenhaus."));
  EXPECT_EQ(Of("Wie geht’s dir?"), Of("Wie geht's dir?"));
  EXPECT_EQ(Of("ä"), "ä");
}

TEST_F(ShippedModelTest, MakesNoClockTimesOfDates) {
  EXPECT_EQ(Of("24.12."), "24.12.");
  EXPECT_EQ(Of("99.99"), "99.99");
}

TEST_F(ShippedModelTest, TranslatesQuotationsAndWhoSaysThem) {
  EXPECT_EQ(Of("„Ich habe Hunger“, sagte er."), "“I'm hungry,” he said.");
  EXPECT_EQ(Of("„Wo ist der Bahnhof?“, fragte sie."),
            "“Where is the station?” she asked.");
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
