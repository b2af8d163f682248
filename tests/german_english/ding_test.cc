#include "languages/german_english/corpus/ding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace keylens::german_english {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<Pair> Candidates(const std::string& text) {
  Counts counts;
  std::vector<Pair> pairs;
  for (const DingCandidate& candidate : ReadDing(text, counts).candidates) {
    pairs.push_back(candidate.pair);
  }
  return pairs;
}

ChosenTerms Choose(const std::string& text,
                   const std::vector<Pair>& sentences = {}) {
  Counts counts;
  return ChooseTranslations(ReadDing(text, counts).candidates,
                            Evidence(sentences), counts);
}

TEST(DingTest, TellsSentencesFromTerms) {
  Counts counts;
  const Ding ding = ReadDing(
      "Haus {n} | Ich komm nicht viel aus dem Haus.; Daheim ist es schön. :: "
      "house; home | I don’t get out of the house much.; I stay in.\n",
      counts);
  EXPECT_THAT(ding.sentences,
              ElementsAre(Pair{"I don't get out of the house much.",
                               "Ich komm nicht viel aus dem Haus."},
                          Pair{"I don't get out of the house much.",
                               "Daheim ist es schön."}));
  ASSERT_EQ(ding.candidates.size(), 2);
  EXPECT_EQ(ding.candidates[0].pair, (Pair{"house", "Haus"}));
  EXPECT_GT(ding.candidates[0].merit, ding.candidates[1].merit);
}

TEST(DingTest, LeavesOutObsoleteRegionalAndVulgarWords) {
  EXPECT_THAT(Candidates("Mädchen {n}; Madl {n} [Bayr.]; Maid {f} [veraltet] "
                         ":: lassie [Sc.]; girl"),
              ElementsAre(Pair{"girl", "Mädchen"}, Pair{"girl", "Madl"}));
  EXPECT_THAT(Candidates("Hasen {pl} (Lepus) (zoologische Gattung) :: Lepus"),
              IsEmpty());
}

TEST(DingTest, LeavesOutUnfitPairs) {
  Counts counts;
  const Ding ding = ReadDing(
      "Haus :: Haus {n} und Hof\n"
      "zwei Häuser :: 2 houses\n"
      "Geld :: $ money\n",
      counts);
  EXPECT_THAT(ding.candidates, IsEmpty());
  EXPECT_EQ(counts.Get("wrong language"), 1);
  EXPECT_EQ(counts.Get("other numbers"), 1);
  EXPECT_EQ(counts.Get("markup"), 1);
}

TEST(DingTest, ChoosesOneTranslationForEachTerm) {
  const ChosenTerms chosen = Choose(
      "Haus {n}; Zuhause {n} | zu Hause bleiben :: home | to stay home\n"
      "Haus {n} | Häuser {pl} :: house | houses\n"
      "haus {vi} :: dwell\n",
      {{"The house is home.", "Das Haus ist ein Zuhause."}});
  EXPECT_THAT(chosen.words, UnorderedElementsAre(Pair{"house", "Haus"},
                                                 Pair{"home", "Zuhause"}));
  EXPECT_THAT(chosen.phrases, IsEmpty());
  EXPECT_THAT(chosen.terms, UnorderedElementsAre(
                                Pair{"houses", "Häuser"}, Pair{"dwell", "haus"},
                                Pair{"to stay home", "zu Hause bleiben"}));
}

TEST(DingTest, SentencesOverruleTheDictionary) {
  const std::string ding =
      "Bank {f} | Bänke {pl} | Holzbank {f} :: bench | benches | wooden bench\n"
      "Bank {f} :: bank\n";
  EXPECT_THAT(Choose(ding).terms, Contains(Pair{"bench", "Bank"}));
  EXPECT_THAT(Choose(ding, {{"The bank is open.", "Die Bank ist offen."},
                            {"A bank robber!", "Ein Räuber der Bank!"}})
                  .words,
              ElementsAre(Pair{"bank", "Bank"}));
}

TEST(DingTest, PrefersASingularToItsEqualPlural) {
  EXPECT_THAT(
      Choose("Kübel {m}; Eimer {m} | Kübel {pl}; Eimer {pl} :: "
             "bucket | buckets")
          .terms,
      UnorderedElementsAre(Pair{"bucket", "Kübel"}, Pair{"bucket", "Eimer"}));
}

TEST(DingTest, DropsLongTermsOfSpecialFields) {
  EXPECT_THAT(Choose("Abwasserrohrleitung {f} [constr.] :: sewage duct").terms,
              IsEmpty());
  EXPECT_THAT(Choose("Abwasserrohrleitung {f} :: sewage duct").terms,
              ElementsAre(Pair{"sewage duct", "Abwasserrohrleitung"}));
  EXPECT_THAT(Choose("Erz {n} [min.] :: ore").terms,
              ElementsAre(Pair{"ore", "Erz"}));
}

}  // namespace
}  // namespace keylens::german_english
