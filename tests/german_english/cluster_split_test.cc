#include "languages/german_english/corpus/cluster_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;

TEST(ClusterSplitTest, LinksRowsThatShareASide) {
  EXPECT_THAT(FindClusters(std::vector<Pair>{{"Hi.", "Hallo!"},
                                             {"Go.", "Geh."},
                                             {"Hello.", "hallo"},
                                             {"Hello!", "Guten Tag"},
                                             {"Run!", "Lauf!"},
                                             {"RUN", "Renn"}}),
              ElementsAre(0, 1, 0, 0, 2, 2));
}

TEST(ClusterSplitTest, LinksClustersFoundApart) {
  EXPECT_THAT(FindClusters(std::vector<Pair>{
                  {"a", "x"}, {"b", "y"}, {"c", "z"}, {"b", "z"}, {"a", "y"}}),
              ElementsAre(0, 0, 0, 0, 0));
}

// Rows with a German and an English of their own, but every tenth shares its
// English with the one before.
std::vector<Pair> MakeRows(int count) {
  std::vector<Pair> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back({"english " + std::to_string(i % 10 == 9 ? i - 1 : i),
                    "deutsch " + std::to_string(i)});
  }
  return rows;
}

std::vector<Part> Split(const std::vector<Pair>& rows,
                        const std::vector<bool>& eligible,
                        const SplitOptions& options) {
  return SplitByCluster(rows, FindClusters(rows), eligible, options);
}

TEST(ClusterSplitTest, KeepsEverySideInOnePart) {
  const std::vector<Pair> rows = MakeRows(1000);
  const auto parts = Split(rows, std::vector<bool>(1000, true),
                           {.valid_rows = 40, .test_rows = 80});
  std::map<std::string, std::set<Part>> parts_of;
  for (size_t i = 0; i < rows.size(); ++i) {
    parts_of[ClusterKey(rows[i].english)].insert(parts[i]);
    parts_of[ClusterKey(rows[i].german)].insert(parts[i]);
  }
  for (const auto& [key, of_key] : parts_of) EXPECT_EQ(of_key.size(), 1) << key;
  // A cluster may go over by a line.
  EXPECT_THAT(std::ranges::count(parts, Part::kTest),
              testing::AllOf(testing::Ge(80), testing::Le(81)));
  EXPECT_THAT(std::ranges::count(parts, Part::kValid),
              testing::AllOf(testing::Ge(40), testing::Le(41)));
}

TEST(ClusterSplitTest, DoesNotDependOnTheOrderOfTheRows) {
  std::vector<Pair> rows = MakeRows(300);
  const SplitOptions options{.valid_rows = 10, .test_rows = 20};
  const std::vector<bool> eligible(300, true);
  const auto held_out = [&] {
    const auto parts = Split(rows, eligible, options);
    std::set<Pair> test;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (parts[i] == Part::kTest) test.insert(rows[i]);
    }
    return test;
  };
  const std::set<Pair> before = held_out();
  std::ranges::reverse(rows);
  EXPECT_EQ(held_out(), before);
}

TEST(ClusterSplitTest, TheSeedChooses) {
  const std::vector<Pair> rows = MakeRows(300);
  const std::vector<bool> eligible(300, true);
  EXPECT_NE(Split(rows, eligible, {.seed = 1, .test_rows = 20}),
            Split(rows, eligible, {.seed = 2, .test_rows = 20}));
}

TEST(ClusterSplitTest, HoldsOutEligibleRowsOfSmallClusters) {
  std::vector<Pair> rows = MakeRows(100);
  std::vector<bool> eligible(100, false);
  for (int i = 0; i < 50; ++i) eligible[i] = true;
  for (int i = 0; i < 9; ++i) {
    rows.push_back({"many", "viele " + std::to_string(i)});
    eligible.push_back(true);
  }
  const auto parts =
      Split(rows, eligible, {.valid_rows = 0, .test_rows = 1000});
  for (size_t i = 50; i < rows.size(); ++i) {
    EXPECT_EQ(parts[i], Part::kTrain) << i;
  }
  EXPECT_THAT(std::ranges::count(parts, Part::kTest),
              testing::AllOf(testing::Ge(11), testing::Le(12)))
      << "a fifth of 59";
}

TEST(ClusterSplitTest, TakesNoRows) {
  EXPECT_THAT(Split({}, {}, {}), testing::IsEmpty());
}

}  // namespace
}  // namespace keylens::german_english
