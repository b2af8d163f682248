#include "languages/german_english/corpus/ding_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DingChoicesTest, KeepsPlainTerms) {
  EXPECT_THAT(ExpandChoices({"to build a house", "ein Haus bauen"}),
              ElementsAre(Pair{"to build a house", "ein Haus bauen"}));
}

TEST(DingChoicesTest, ExpandsGermanChoices) {
  EXPECT_THAT(ExpandChoices({"hard times", "schwere/harte Zeiten"}),
              ElementsAre(Pair{"hard times", "schwere Zeiten"},
                          Pair{"hard times", "harte Zeiten"}));
  EXPECT_THAT(ExpandChoices({"x", "a/b c/d"}),
              ElementsAre(Pair{"x", "a c"}, Pair{"x", "a d"}, Pair{"x", "b c"},
                          Pair{"x", "b d"}));
}

TEST(DingChoicesTest, PairsChoicesOfBothSides) {
  EXPECT_THAT(ExpandChoices({"much/little time", "viel/wenig Zeit"}),
              ElementsAre(Pair{"much time", "viel Zeit"},
                          Pair{"little time", "wenig Zeit"}));
}

TEST(DingChoicesTest, GivesNothingWhereChoicesDoNotPair) {
  EXPECT_THAT(ExpandChoices({"to get/be given", "bekommen"}), IsEmpty());
  EXPECT_THAT(ExpandChoices({"a/b/c", "a/b"}), IsEmpty());
  EXPECT_THAT(ExpandChoices({"a", "und/ oder"}), IsEmpty());
  EXPECT_THAT(ExpandChoices({"blog", "Internet/Online-Tagebuch"}), IsEmpty());
  EXPECT_THAT(ExpandChoices({"a", "a/b c/d e/f g/h"}), IsEmpty()) << "sixteen";
}

TEST(DingChoicesTest, LeavesObjectsOfVerbsOut) {
  EXPECT_THAT(ExpandChoices({"to change sth.", "etw. ändern"}),
              ElementsAre(Pair{"to change", "ändern"}));
  EXPECT_THAT(ExpandChoices({"to give sb. sth.", "jdm. etw. schenken"}),
              ElementsAre(Pair{"to give", "schenken"}));
  EXPECT_THAT(ExpandChoices({"to find sb./sth.", "jdn./etw. finden"}),
              ElementsAre(Pair{"to find", "finden"}, Pair{"to find", "finden"}))
      << "the data set drops the second";
}

TEST(DingChoicesTest, WritesStandInsOut) {
  EXPECT_THAT(
      ExpandChoices({"to bring sb. back to life", "jdn. zum Leben erwecken"}),
      ElementsAre(Pair{"to bring somebody back to life",
                       "jemanden zum Leben erwecken"}));
  EXPECT_THAT(ExpandChoices({"sb.'s house", "jds. Haus"}),
              ElementsAre(Pair{"somebody's house", "jemandes Haus"}));
  EXPECT_THAT(
      ExpandChoices({"to forget sth.", "vergessen, etw., zu tun"}),
      ElementsAre(Pair{"to forget something", "vergessen, etwas, zu tun"}));
}

}  // namespace
}  // namespace keylens::german_english
