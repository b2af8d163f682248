#include "src/render/report/head_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

#include "src/render/report/attention_report.h"
#include "tests/render/attention_report_sample.h"

namespace keylens::render {
namespace {

// A panel of one head over a sequence of `length`, whose query i has the weight
// weight(i, key).
AttentionPanel Made(int length, const std::function<float(int, int)>& weight) {
  AttentionPanel panel;
  panel.queries = panel.keys = Words(length);
  panel.self_attention = true;
  for (int query = 0; query < length; ++query) {
    for (int key = 0; key < length; ++key)
      panel.weights.push_back(weight(query, key));
  }
  return panel;
}

HeadKind KindOfMade(int length, const std::function<float(int, int)>& weight) {
  const AttentionPanel panel = Made(length, weight);
  return KindOf(StatisticsOf(panel)[0], panel.self_attention);
}

TEST(HeadStatisticsTest, AreMeansOverTheQueries) {
  const AttentionPanel panel = Made(4, [](int query, int key) {
    if (key > query) return 0.0f;
    return key == query ? (query == 0 ? 1.0f : 0.75f)
                        : 0.25f / static_cast<float>(query);
  });
  const HeadStatistics head = StatisticsOf(panel)[0];
  // Entropies of (1), (1/4, 3/4), (1/8, 1/8, 3/4), (1/12 three times, 3/4).
  const double rest = -0.75 * std::log(0.75);
  EXPECT_NEAR(head.entropy,
              (3 * rest + 0.25 * std::log(4) + 0.25 * std::log(8) +
               0.25 * std::log(12)) /
                  4,
              1e-6);
  EXPECT_NEAR(head.even_entropy, std::log(2 * 3 * 4) / 4, 1e-6);
  EXPECT_NEAR(head.self, 3.25 / 4, 1e-6);
  EXPECT_NEAR(head.previous, (0.25 + 0.125 + 0.25 / 3) / 4, 1e-6);
  EXPECT_EQ(head.next, 0);
  EXPECT_NEAR(head.first_key, (1 + 0.25 + 0.125 + 0.25 / 3) / 4, 1e-6);
  EXPECT_EQ(head.top_key, head.first_key);
  EXPECT_NEAR(head.mean_distance, (0.25 + 0.375 + 0.5) / 4, 1e-6);
}

TEST(HeadStatisticsTest, AreMeansOverTheSteps) {
  AttentionPanel panel = EvenPanel({"q"}, {"a", "b"});
  panel.steps = 2;
  panel.weights = {0.5f, 0.5f, 0.25f, 0.75f};
  const HeadStatistics head = StatisticsOf(panel)[0];
  EXPECT_NEAR(head.first_key, 0.375, 1e-6);
  EXPECT_NEAR(head.top_key, 0.625, 1e-6);
  EXPECT_EQ(head.self, 0);  // places of two sequences are not compared
}

TEST(HeadStatisticsTest, NamesHeadsByWhatTheyDo) {
  constexpr int kLength = 20;
  const auto at = [](int offset) {
    return [offset](int query, int key) {
      return key == (query + offset + kLength) % kLength ? 1.0f : 0.0f;
    };
  };
  EXPECT_EQ(KindOfMade(kLength, at(0)), HeadKind::kSelf);
  EXPECT_EQ(KindOfMade(kLength, at(-1)), HeadKind::kPrevious);
  EXPECT_EQ(KindOfMade(kLength, at(1)), HeadKind::kNext);
  EXPECT_EQ(KindOfMade(kLength, at(7)), HeadKind::kFocused);
  const auto one_key = [](int sink) {
    return [sink](int, int key) { return key == sink ? 0.62f : 0.02f; };
  };
  EXPECT_EQ(KindOfMade(kLength, one_key(0)), HeadKind::kFirstKey);
  EXPECT_EQ(KindOfMade(kLength, one_key(19)), HeadKind::kOneKey);
  EXPECT_EQ(KindOfMade(kLength, [](int, int) { return 0.05f; }),
            HeadKind::kBroad);
  EXPECT_EQ(KindOfMade(kLength,
                       [](int query, int key) {
                         return std::abs(query - key) <= 1 ? 0.3f : 0.005f;
                       }),
            HeadKind::kNeighbours);
  EXPECT_EQ(KindOfMade(kLength,
                       [](int query, int key) {
                         return (key - query + kLength) % kLength < 7 &&
                                        (key - query + kLength) % kLength > 1
                                    ? 0.2f
                                    : 0.001f;
                       }),
            HeadKind::kMixed);
}

TEST(HeadStatisticsTest, FewKeysAreNotCalledASink) {
  EXPECT_EQ(KindOfMade(2, [](int, int) { return 0.5f; }), HeadKind::kBroad);
  EXPECT_EQ(KindOfMade(3, [](int, int) { return 0.333f; }), HeadKind::kBroad);
}

TEST(HeadStatisticsTest, PlacesOfTwoSequencesAreNotCompared) {
  const HeadStatistics head = {.entropy = 0, .even_entropy = 3, .self = 1};
  EXPECT_EQ(KindOf(head, true), HeadKind::kSelf);
  EXPECT_EQ(KindOf(head, false), HeadKind::kFocused);
}

TEST(HeadStatisticsTest, EveryKindHasAName) {
  std::set<std::string_view> names;
  for (const HeadKind kind : kHeadKinds) names.insert(NameOf(kind));
  EXPECT_EQ(names.size(), kHeadKinds.size());
  EXPECT_FALSE(names.contains(""));
}

TEST(HeadStatisticsTest, APooledPanelHasNone) {
  EXPECT_THROW(StatisticsOf(LongPanel()), std::invalid_argument);
}

}  // namespace
}  // namespace keylens::render
