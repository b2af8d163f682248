#include "systems/translator/looking/lexical_alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace keylens::translator {
namespace {

using testing::ElementsAre;

TEST(WordsOfPair, LeavesPunctuationAndCaseOut) {
  const WordPair pair = WordsOfPair("Der „Hund“ schläft!", "The dog's asleep.");
  EXPECT_THAT(pair.source, ElementsAre("der", "hund", "schläft"));
  EXPECT_THAT(pair.target, ElementsAre("the", "dogs", "asleep"));
}

TEST(LexicalAligner, FindsWordsThatComeAndGoTogether) {
  std::vector<WordPair> pairs;
  for (const auto& [german, english] :
       std::vector<std::pair<const char*, const char*>>{
           {"das haus", "the house"},
           {"das buch", "the book"},
           {"ein buch", "a book"},
           {"ein rotes haus", "a red house"},
           {"das rotes buch", "the red book"}})
    pairs.push_back(WordsOfPair(german, english));
  const LexicalAligner aligner(pairs, 10);
  // The order of the sentence is no help: only the words are.
  EXPECT_THAT(aligner.Links(WordsOfPair("rotes haus ein", "a red house")),
              ElementsAre(WordLink{2, 0}, WordLink{0, 1}, WordLink{1, 2}));
  EXPECT_THAT(aligner.Links(WordsOfPair("ganz neu", "brand new")),
              ElementsAre());
}

}  // namespace
}  // namespace keylens::translator
