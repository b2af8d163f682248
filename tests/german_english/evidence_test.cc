#include "languages/german_english/corpus/evidence.h"

#include <gtest/gtest.h>

#include <vector>

namespace keylens::german_english {
namespace {

const std::vector<Pair> kSentences = {
    {"The house is big.", "Das Haus ist groß."},
    {"A house, a house!", "Ein Haus, ein Haus!"},
    {"I go home.", "Ich gehe nach Haus."},
    {"They load it.", "Sie laden es."},
    {"Load it!", "Laden Sie es!"},
    {"The shop is shut.", "Der Laden ist zu."},
    {"A shop in town.", "Ein Laden in der Stadt."}};

TEST(EvidenceTest, MeasuresAssociation) {
  const Evidence evidence(kSentences);
  // Two sentences with both, three with "Haus", two with "house".
  EXPECT_DOUBLE_EQ(evidence.Association({"house", "Haus"}), 2.0 * 2 / (3 + 2));
  EXPECT_DOUBLE_EQ(evidence.Association({"the house", "das Haus"}),
                   2.0 * 2 / (3 + 2))
      << "articles count";
  EXPECT_EQ(evidence.Association({"home", "Haus"}), 0) << "once is chance";
  EXPECT_EQ(evidence.Association({"big house", "Haus"}), 0);
  EXPECT_EQ(evidence.Association({"tree", "Baum"}), 0);
}

TEST(EvidenceTest, TellsGermanWordsByCase) {
  const Evidence evidence(kSentences);
  EXPECT_DOUBLE_EQ(evidence.Association({"to load", "laden"}), 1.0)
      << "a first word is in both cases";
  EXPECT_DOUBLE_EQ(evidence.Association({"shop", "Laden"}), 2.0 * 2 / (3 + 2));
  EXPECT_EQ(evidence.Association({"shop", "laden"}), 0);
}

TEST(EvidenceTest, CountsTheRarestWord) {
  const Evidence evidence(kSentences);
  EXPECT_EQ(evidence.CountEnglish("the shop"), 2);
  EXPECT_EQ(evidence.CountEnglish("Shop in Town"), 1);
  EXPECT_EQ(evidence.CountGerman("Haus"), 3);
  EXPECT_EQ(evidence.CountGerman("Baumhaus"), 0);
  EXPECT_EQ(evidence.CountGerman("die"), 0);
}

}  // namespace
}  // namespace keylens::german_english
