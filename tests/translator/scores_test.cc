// BLEU and chrF against sacrebleu 2.6.0: the expected numbers are what
//   sacrebleu reference -i translation -m bleu chrf -w 6
// printed for the two columns of data/scores.tsv, and for parts of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/base/file.h"
#include "systems/translator/scores/bleu.h"
#include "systems/translator/scores/chrf.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;

constexpr double kSixDigits = 1e-6;

struct Columns {
  std::vector<std::string> translations, references;
};

// The first `count` lines; all of them where it is 0.
Columns ReadScores(std::size_t count = 0) {
  const std::string text =
      ReadFile(KEYLENS_SOURCE_DIR "/tests/translator/data/scores.tsv");
  Columns columns;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    const std::size_t tab = line.find('\t');
    columns.translations.push_back(line.substr(0, tab));
    columns.references.push_back(line.substr(tab + 1));
    begin = end + 1;
    if (columns.references.size() == count) break;
  }
  return columns;
}

TEST(Scores, AreThoseOfSacrebleu) {
  const Columns all = ReadScores();
  ASSERT_EQ(all.references.size(), 45);
  const BleuScore score = Bleu(all.translations, all.references);
  EXPECT_NEAR(score.bleu, 54.639252, kSixDigits);
  EXPECT_EQ(score.translation_len, 323);
  EXPECT_EQ(score.reference_len, 331);
  EXPECT_NEAR(score.precisions[0], 79.9, 0.05);
  EXPECT_NEAR(score.precisions[3], 41.5, 0.05);
  EXPECT_NEAR(score.brevity_penalty, 0.976, 0.0005);
  EXPECT_NEAR(Chrf(all.translations, all.references), 66.595441, kSixDigits);
}

TEST(Scores, AreThoseOfSacrebleuForFewSentences) {
  const Columns few = ReadScores(5);
  EXPECT_NEAR(Bleu(few.translations, few.references).bleu, 21.622889,
              kSixDigits);
  EXPECT_NEAR(Chrf(few.translations, few.references), 58.015267, kSixDigits);
}

// sacrebleu: 0 and 0 for a translation without a common token, and for nothing
// at all.
TEST(Scores, OfNothingRightAreZero) {
  const std::vector<std::string> translation = {"xyz"}, reference = {"a b"},
                                 empty = {""};
  EXPECT_EQ(Bleu(translation, reference).bleu, 0);
  EXPECT_EQ(Chrf(translation, reference), 0);
  EXPECT_EQ(Bleu(empty, reference).bleu, 0);
  EXPECT_EQ(Chrf(empty, reference), 0);
  EXPECT_EQ(Bleu({}, {}).bleu, 0);
  EXPECT_EQ(Chrf({}, {}), 0);
}

TEST(Scores, OfTheReferenceItselfAreFull) {
  const std::vector<std::string> text = {"The cat sleeps on the mat."};
  EXPECT_NEAR(Bleu(text, text).bleu, 100, 1e-9);
  EXPECT_NEAR(Chrf(text, text), 100, 1e-9);
}

TEST(Scores, RefuseTextsOfDifferentLengths) {
  const std::vector<std::string> one = {"a"};
  EXPECT_THROW(Bleu(one, {}), std::invalid_argument);
  EXPECT_THROW(Chrf({}, one), std::invalid_argument);
}

TEST(Tokens13a, KeepPointsOfNumbersAndSplitOthers) {
  EXPECT_THAT(Tokenize13a("It's 1,000.5 (or so), e.g. 3-4 x-y..."),
              ElementsAre("It's", "1,000.5", "(", "or", "so", ")", ",", "e",
                          ".", "g", ".", "3", "-", "4", "x-y", ".", ".", "."));
  EXPECT_THAT(Tokenize13a("&quot;a&amp;b&quot;"),
              ElementsAre("\"", "a", "&", "b", "\""));
  EXPECT_THAT(Tokenize13a(" \t "), ElementsAre());
}

}  // namespace
}  // namespace keylens::translator
