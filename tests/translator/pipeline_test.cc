// Translating with a model that was trained on sentences of a small grammar.

#include "systems/translator/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "languages/rules_table.h"
#include "src/base/error.h"
#include "src/base/utf8.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/scores/evaluate.h"
#include "systems/translator/text/white_space.h"
#include "systems/translator/training/greedy.h"
#include "tests/translator/tiny_translator.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PipelineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TestFolder>("pipeline");
    WriteGrammar(folder_->path());
    TrainTranslator(
        TinyRun(folder_->path(), folder_->path() / "run", /*steps=*/400));
    pipeline_ = std::make_unique<Pipeline>(
        Pipeline::Load(ModelPath(), languages::RulesTable()));
  }
  static void TearDownTestSuite() {
    pipeline_.reset();
    folder_.reset();
  }

  static std::filesystem::path ModelPath() {
    return folder_->path() / "run/model";
  }

  static std::vector<std::string> Sources() {
    std::vector<std::string> sources;
    for (const SentencePair& pair : GrammarPairs(/*held_out=*/false))
      sources.push_back(pair.source);
    return sources;
  }

  static TranslateSettings Settings(int beam = 4, int threads = 1) {
    TranslateSettings settings;
    settings.search.beam = beam;
    settings.threads = threads;
    return settings;
  }

  static Translation One(const std::string& line,
                         const TranslateSettings& settings = Settings()) {
    return pipeline_->Translate(std::vector<std::string>{line}, settings)[0];
  }

  static std::unique_ptr<TestFolder> folder_;
  static std::unique_ptr<Pipeline> pipeline_;
};
std::unique_ptr<TestFolder> PipelineTest::folder_;
std::unique_ptr<Pipeline> PipelineTest::pipeline_;

TEST_F(PipelineTest, SaysWhatItLearnt) {
  const auto translations = pipeline_->Translate(Sources(), Settings());
  const auto pairs = GrammarPairs(false);
  int right = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    right += translations[i].text == pairs[i].target ? 1 : 0;
  EXPECT_GE(right, 28) << "of " << pairs.size();
}

// The decoder with cached keys and packed weights against the module's forward.
TEST_F(PipelineTest, GreedyIsWhatTheModuleSaysGreedily) {
  ModelFolder folder = ReadModelFolder(ModelPath());
  const std::vector<std::string> expected =
      TranslateGreedily(*ReadModule(ModelPath()), folder.tokenizer, Sources());
  const auto translations = pipeline_->Translate(Sources(), Settings(1));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(translations[i].text, expected[i]);
}

TEST_F(PipelineTest, DependsOnNeitherTheBatchNorTheThreads) {
  const std::vector<std::string> sources = Sources();
  TranslateSettings settings = Settings(3);
  settings.alignment = true;
  const auto together = pipeline_->Translate(sources, settings);
  settings.threads = 3;
  const auto threaded = pipeline_->Translate(sources, settings);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Translation alone = One(sources[i], settings);
    for (const Translation* other : {&alone, &threaded[i]}) {
      EXPECT_EQ(together[i].text, other->text);
      EXPECT_EQ(together[i].log_prob, other->log_prob);  // to the last bit
      EXPECT_EQ(together[i].confidence, other->confidence);
      EXPECT_EQ(together[i].alignment_entropy, other->alignment_entropy);
    }
  }
}

TEST_F(PipelineTest, KeepsLinesAndBlanks) {
  const std::vector<std::string> lines = {"", "Der Hund schläft.", "  ", ""};
  const auto translations = pipeline_->Translate(lines, Settings());
  ASSERT_EQ(translations.size(), 4);
  EXPECT_EQ(translations[0].text, "");
  EXPECT_EQ(translations[1].text, "The dog is sleeping.");
  EXPECT_EQ(translations[2].text, "");
  EXPECT_THAT(translations[3].words, IsEmpty());
  EXPECT_THAT(pipeline_->Translate({}, Settings()), IsEmpty());
}

TEST_F(PipelineTest, TranslatesParagraphsSentenceBySentence) {
  EXPECT_EQ(One("Der Hund schläft.  Die Katze ist heute müde. Mein Bruder "
                "mag keinen Regen.")
                .text,
            One("Der Hund schläft.").text + "  " +
                One("Die Katze ist heute müde.").text + " " +
                One("Mein Bruder mag keinen Regen.").text);
}

TEST_F(PipelineTest, CarriesOverWhatItCannotKnow) {
  for (const std::string word : {"https://example.org/a?b=c", "max@example.de",
                                 "東京", "1999", "😀👍", "\xEF\xBF\xBD"}) {
    EXPECT_THAT(One("Der Hund mag " + word + " heute.").text, HasSubstr(word));
    EXPECT_EQ(One(word).text, word);
  }
  EXPECT_EQ(One("😀 👍🏽! 1.234,5").text, "😀 👍🏽! 1,234.5");
}

// A model that never saw a number cannot write one.
TEST_F(PipelineTest, CarriesNumbersOverAsEnglishWritesThem) {
  for (const auto& [german, english] :
       {std::pair("17", "17"), std::pair("14:30", "14:30"),
        std::pair("1.250", "1,250"), std::pair("89,50", "89.50"),
        std::pair("am 3. Mai 2021", "on May 3, 2021")}) {
    EXPECT_THAT(One(std::string("Der Hund schläft ") + german + ".").text,
                HasSubstr(english));
  }
}

TEST_F(PipelineTest, TakesAnything) {
  const std::string endless(10000, 'x');
  EXPECT_EQ(One(endless).text, endless);
  EXPECT_EQ(One("Hund\xFF").text, "Hund\xEF\xBF\xBD");
  std::string words;
  while (words.size() < 10000) words += "Hund ";
  const Translation translation = One(words);
  EXPECT_TRUE(IsUtf8(translation.text));
  EXPECT_LT(translation.text.size(), 40000);
  EXPECT_EQ(One("... !!! ?").text, "... !!! ?");
  EXPECT_EQ(One(std::string("\0", 1)).source.size(), 1);
}

TEST_F(PipelineTest, ListsTheBestInOrder) {
  TranslateSettings settings = Settings(5);
  settings.search.nbest = 5;
  const Translation translation =
      One("Der Hund schläft. Die Katze mag keinen Regen.", settings);
  ASSERT_EQ(translation.nbest.size(), 5);
  EXPECT_EQ(translation.nbest[0].text, translation.text);
  EXPECT_EQ(translation.nbest[0].score, translation.score);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_GE(translation.nbest[i - 1].score, translation.nbest[i].score);
  }
  EXPECT_NE(translation.nbest[0].text, translation.nbest[4].text);
}

TEST_F(PipelineTest, LinksWordsThatAreThere) {
  TranslateSettings settings = Settings();
  settings.alignment = true;
  const Translation translation =
      One("Der Hund schläft. a@b.de 😀 Die Katze schläft.", settings);
  EXPECT_GT(translation.alignment_entropy, 0);
  ASSERT_FALSE(translation.alignment.empty());
  std::vector<int> links(translation.words.size());
  for (const WordLink& link : translation.alignment) {
    EXPECT_LT(link.source, 8);
    ++links.at(static_cast<std::size_t>(link.target));
  }
  EXPECT_THAT(links, testing::Each(testing::Ge(1)));
  EXPECT_THAT(One("😀 a@b.de", settings).alignment,
              ElementsAre(WordLink{0, 0}, WordLink{1, 1}));
}

TEST_F(PipelineTest, IsSurerOfWhatItKnows) {
  const Translation known = One("Der Hund schläft.");
  const Translation strange = One("Schläft Regen Wasser Frau?");
  EXPECT_GT(known.confidence, 0.5);
  EXPECT_LT(strange.confidence, known.confidence);
  for (const TranslatedWord& word : known.words) {
    EXPECT_GT(word.confidence, 0);
    EXPECT_LE(word.confidence, 1);
  }
}

TEST_F(PipelineTest, RefusesSettingsThatNoSearchHas) {
  EXPECT_THROW(One("Hund", Settings(0)), UsageError);
  EXPECT_THROW(One("Hund", Settings(65)), UsageError);
  TranslateSettings settings = Settings(2);
  settings.search.nbest = 3;
  EXPECT_THROW(One("Hund", settings), UsageError);
  settings = Settings();
  settings.search.length_penalty = -1;
  EXPECT_THROW(One("Hund", settings), UsageError);
}

TEST_F(PipelineTest, IsMeasured) {
  std::vector<std::string> references;
  for (const SentencePair& pair : GrammarPairs(false))
    references.push_back(pair.target);
  const TextScore score =
      EvaluateText(*pipeline_, Sources(), references, Settings());
  EXPECT_GT(score.bleu.bleu, 90);
  EXPECT_GT(score.chrf, 90);
  EXPECT_GT(score.words_per_second, 0);
  EXPECT_GT(score.alignment_entropy, 0);
  EXPECT_THROW(EvaluateText(*pipeline_, Sources(), {}, Settings()), UsageError);
  const AnswerScore answers = EvaluateAnswers(
      *pipeline_,
      {{"Der Hund schläft.", {"The dog sleeps", "the dog is sleeping"}},
       {"Die Katze schläft.", {"Something else."}}},
      Settings());
  EXPECT_EQ(answers.questions, 2);
  EXPECT_EQ(answers.right, 1);
  ASSERT_EQ(answers.wrong.size(), 1);
  EXPECT_EQ(answers.wrong[0].german, "Die Katze schläft.");
}

}  // namespace
}  // namespace keylens::translator
