#include "languages/german_english/corpus/plain_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace keylens::german_english {
namespace {

using testing::ElementsAre;

TEST(PlainTextTest, WritesCharactersInOneWay) {
  EXPECT_EQ(ToPlainText("a\u0308ndern"), "ändern") << "not composed";
  EXPECT_EQ(ToPlainText(" zu\u00A0\t Hause \n"), "zu Hause");
  EXPECT_EQ(ToPlainText("„Ja“, ‚nein‘ «doch»"), "\"Ja\", 'nein' \"doch\"");
  EXPECT_EQ(ToPlainText("It’s … — so"), "It's ... – so");
  EXPECT_EQ(ToPlainText("Frau , die"), "Frau, die");
  EXPECT_EQ(ToPlainText("Ab\u00ADtei\u200Blung"), "Abteilung");
  EXPECT_EQ(ToPlainText("gr\xFC\xDF"), "gr\uFFFD\uFFFD");
  EXPECT_EQ(ToPlainText(""), "");
}

TEST(PlainTextTest, KeysForgetCaseMarksAndSpaces) {
  EXPECT_EQ(ClusterKey("Wie geht's?"), ClusterKey("wie  GEHTS!"));
  EXPECT_EQ(ClusterKey("Straße 5"), "strasse5");
  EXPECT_NE(ClusterKey("schon"), ClusterKey("schön"));
  EXPECT_EQ(ClusterKey("?!"), "");
}

TEST(PlainTextTest, FindsWords) {
  EXPECT_THAT(Words("Geht's, Tom?"), ElementsAre("Geht's", "Tom"));
  EXPECT_THAT(FoldedWords("Über 'Straßen'!"), ElementsAre("über", "strassen'"));
  EXPECT_THAT(FoldedWords(" – "), testing::IsEmpty());
}

TEST(PlainTextTest, SplitsAndTrims) {
  EXPECT_THAT(SplitAndTrim(" a | b||", "|"), ElementsAre("a", "b", "", ""));
  EXPECT_EQ(ReplaceAll("aXbX", "X", "XX"), "aXXbXX");
  EXPECT_EQ(CountCharacters("für"), 3);
  EXPECT_TRUE(StartsUppercase("Über"));
  EXPECT_FALSE(StartsUppercase("über"));
  EXPECT_FALSE(StartsUppercase(""));
}

}  // namespace
}  // namespace keylens::german_english
