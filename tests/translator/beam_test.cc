#include "systems/translator/search/beam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "systems/translator/search/loop_guard.h"
#include "systems/translator/search/top_tokens.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int32_t kEnd = 9;
const std::vector<int32_t> kSource = {1, 2, 3, 4};

Beam MakeBeam(int width, int nbest = 1, double length_penalty = 0,
              int64_t max_pieces = 20) {
  SearchOptions options;
  options.beam = width;
  options.nbest = nbest;
  options.length_penalty = length_penalty;
  return {options, kEnd, LoopGuard(kSource), max_pieces};
}

using Step = std::vector<std::vector<Continuation>>;

TEST(Beam, TakesTheLikeliestOfAll) {
  Beam beam = MakeBeam(2);
  EXPECT_THAT(beam.Advance(Step{{{1, -1.0f}, {2, -1.5f}, {3, -3.0f}}}),
              ElementsAre(0, 0));
  // 1 then 4: -3; 2 then 5: -1.6; 2 then 6: -2.
  EXPECT_THAT(
      beam.Advance(Step{{{4, -2.0f}, {5, -4.0f}}, {{5, -0.1f}, {6, -0.5f}}}),
      ElementsAre(1, 1));
  EXPECT_THAT(beam.live()[0].ids, ElementsAre(2, 5));
  EXPECT_THAT(beam.live()[1].ids, ElementsAre(2, 6));
  EXPECT_FALSE(beam.done());
}

TEST(Beam, EndsWhenNothingLiveCanBeBetter) {
  Beam beam = MakeBeam(2);
  beam.Advance(Step{{{1, -0.5f}, {kEnd, -2.0f}, {2, -3.0f}}});
  EXPECT_FALSE(beam.done());  // 1 may still end above -2
  beam.Advance(Step{{{kEnd, -0.5f}, {3, -2.0f}}, {{kEnd, -0.1f}, {4, -5.0f}}});
  EXPECT_TRUE(beam.done());
  ASSERT_EQ(beam.Best().size(), 1);
  EXPECT_THAT(beam.Best()[0].ids, ElementsAre(1));
  EXPECT_THAT(beam.Best()[0].log_probs, ElementsAre(-0.5f, -0.5f));
  EXPECT_DOUBLE_EQ(beam.Best()[0].score, -1);
}

TEST(Beam, GivesSeveralBestFirst) {
  Beam beam = MakeBeam(3, 2);
  beam.Advance(Step{{{kEnd, -1.0f}, {1, -1.1f}, {2, -1.2f}, {3, -1.3f}}});
  beam.Advance(Step{{{kEnd, -0.1f}}, {{kEnd, -3.0f}}, {{kEnd, -4.0f}}});
  ASSERT_TRUE(beam.done());
  ASSERT_EQ(beam.Best().size(), 2);
  EXPECT_THAT(beam.Best()[0].ids, IsEmpty());
  EXPECT_THAT(beam.Best()[1].ids, ElementsAre(1));
}

// Sums -1 of one token and -1.8 of five: only the penalty prefers the longer.
TEST(Beam, DividesByTheLengthPenalty) {
  for (const double penalty : {0.0, 1.5}) {
    Beam beam = MakeBeam(2, 1, penalty);
    beam.Advance(Step{{{1, -0.36f}, {kEnd, -1.0f}}});
    for (int32_t id = 2; id <= 4 && !beam.done(); ++id)
      beam.Advance(Step{{{id, -0.36f}}});
    if (!beam.done()) beam.Advance(Step{{{kEnd, -0.36f}}});
    ASSERT_FALSE(beam.Best().empty());
    EXPECT_EQ(beam.Best()[0].ids.size(), penalty == 0 ? 0 : 4);
  }
}

TEST(Beam, GreedyStopsAtTheFirstEnd) {
  Beam beam = MakeBeam(1);
  EXPECT_EQ(beam.num_continuations(), 2);
  beam.Advance(Step{{{1, -0.1f}, {kEnd, -3.0f}}});
  EXPECT_FALSE(beam.done());  // an end that is second is no end
  beam.Advance(Step{{{kEnd, -0.1f}, {1, -3.0f}}});
  EXPECT_TRUE(beam.done());
  EXPECT_THAT(beam.Best()[0].ids, ElementsAre(1));
}

TEST(Beam, EndsWhatIsTooLong) {
  Beam beam = MakeBeam(1, 1, 0, 3);
  for (int32_t id = 1; id <= 3; ++id) {
    ASSERT_FALSE(beam.done());
    beam.Advance(Step{{{id, -0.1f}, {8, -5.0f}}});
  }
  EXPECT_TRUE(beam.done());
  EXPECT_THAT(beam.Best()[0].ids, ElementsAre(1, 2, 3));
}

TEST(Beam, LeavesALoop) {
  Beam beam = MakeBeam(1);
  beam.Advance(Step{{{5, -0.1f}, {6, -5.0f}}});
  beam.Advance(Step{{{5, -0.1f}, {6, -5.0f}}});
  beam.Advance(Step{{{5, -0.1f}, {6, -5.0f}}});  // a third is not allowed
  EXPECT_THAT(beam.live()[0].ids, ElementsAre(5, 5, 6));
  // Nothing but the loop: it stays as it is.
  beam.Advance(Step{{{6, -0.1f}}});
  beam.Advance(Step{{{6, -0.1f}}});
  EXPECT_TRUE(beam.done());
  EXPECT_THAT(beam.Best()[0].ids, ElementsAre(5, 5, 6, 6));
}

TEST(LoopGuard, CountsRunsOfAnyLength) {
  const std::vector<int32_t> ids = {7, 1, 2, 3, 1, 2, 3, 1, 2};
  EXPECT_EQ(RepeatsAtEnd(ids, 3), 3);
  EXPECT_EQ(RepeatsAtEnd(ids, 4), 1);
  EXPECT_EQ(RepeatsAtEnd(ids, 2), 2);
  EXPECT_EQ(RepeatsAtEnd({}, 1), 1);
  EXPECT_EQ(MostRepeats(ids), 2);
}

TEST(LoopGuard, AllowsWhatTheSourceRepeats) {
  const std::vector<int32_t> no_no_no_no = {5, 6, 5, 6, 5, 6, 5, 6};
  const std::vector<int32_t> three = {8, 8, 8};
  EXPECT_TRUE(LoopGuard(no_no_no_no).Allows(three, 8));
  EXPECT_FALSE(LoopGuard(kSource).Allows(three, 8));
}

TEST(TopTokens, AreTheLargestInOrder) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> logits = {1, 5, kNan, 3, 5, -1, 4};
  const auto ids = [&](int count, std::vector<int32_t> never) {
    std::vector<int32_t> found;
    for (const TokenLogit& token : TopTokens(logits, count, never))
      found.push_back(token.id);
    return found;
  };
  EXPECT_THAT(ids(3, {}), ElementsAre(1, 4, 6));
  EXPECT_THAT(ids(3, {1, 6}), ElementsAre(4, 3, 0));
  EXPECT_THAT(ids(20, {}), ElementsAre(1, 4, 6, 3, 0, 5));
}

}  // namespace
}  // namespace keylens::translator
