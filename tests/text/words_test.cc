#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/text/tokenizer.h"
#include "tests/text/trained.h"

namespace keylens {
namespace {

std::vector<std::string> Texts(const std::vector<TextWord>& words) {
  std::vector<std::string> texts;
  for (const TextWord& word : words) texts.push_back(word.text);
  return texts;
}

using Strings = std::vector<std::string>;

TEST(WordsOf, APieceOfTheSpaceBeforeAWordIsTheWords) {
  // "ab cd": _ a b | _ cd
  const std::vector<TextPiece> pieces = {{1, "", 0, 0},
                                         {2, "a", 0, 1},
                                         {3, "b", 1, 2},
                                         {4, "", 2, 3},
                                         {5, "cd", 3, 5}};
  const auto words = WordsOf("ab cd", pieces);
  ASSERT_EQ(Texts(words), (Strings{"ab", "cd"}));
  EXPECT_EQ(words[0].first_piece, 0u);
  EXPECT_EQ(words[0].last_piece, 3u);
  EXPECT_EQ(words[1].first_piece, 3u);
  EXPECT_EQ(words[1].last_piece, 5u);
}

TEST(WordsOf, APieceOfSeveralWordsBelongsToEach) {
  const std::vector<TextPiece> pieces = {{1, "a b", 0, 3}, {2, " c", 3, 5}};
  const auto words = WordsOf("a b c", pieces);
  ASSERT_EQ(words.size(), 3u);
  for (const std::size_t w : {0, 1}) {
    EXPECT_EQ(words[w].first_piece, 0u);
    EXPECT_EQ(words[w].last_piece, 1u);
  }
  EXPECT_EQ(words[2].first_piece, 1u);
  EXPECT_EQ(words[2].last_piece, 2u);
}

TEST(WordsOf, SplitsAtEverySpaceOfUnicode) {
  EXPECT_EQ(Texts(WordsOf(" a\tb\nc\u00A0d\u3000e\u2003f ", {})),
            (Strings{"a", "b", "c", "d", "e", "f"}));
  EXPECT_TRUE(WordsOf("", {}).empty());
  EXPECT_TRUE(WordsOf(" \t ", {}).empty());
}

TEST(WordsOf, EveryPieceOfATrainedModelIsOneWords) {
  for (const std::string text : {"a red heart", "  das  Mädchen, 日本 läuft☃ ",
                                 "x", "\uFB01n \u2460 e\u0301"}) {
    const auto pieces = Trained(false, true).Encode(text);
    std::size_t next = 0;
    for (const TextWord& word : WordsOf(text, pieces)) {
      EXPECT_EQ(word.first_piece, next) << text;
      EXPECT_GT(word.last_piece, word.first_piece) << text;
      next = word.last_piece;
    }
    EXPECT_EQ(next, pieces.size()) << text;
  }
}

TEST(WordsOf, AWordThatNormalisationDropsHasNoPieces) {
  const std::string text = "a \x01";
  const auto pieces = Trained(false, true).Encode(text);
  const auto words = WordsOf(text, pieces);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].last_piece, pieces.size());
  EXPECT_EQ(words[1].first_piece, words[1].last_piece);
}

}  // namespace
}  // namespace keylens
