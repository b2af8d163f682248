#include "src/inspect/maps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/inspect/numpy_file.h"

namespace keylens::inspect {
namespace {

using ::testing::HasSubstr;

class MapsOf : public ::testing::Test {
 protected:
  // Two heads; every fifth query sees nothing.
  AttentionInputsOfFiles Inputs(int64_t query_len, int64_t kv_len) const {
    AttentionSources sources = {
        .query = folder_.Save("q.npy", "<f4", {2, query_len, 4},
                              NormalNumbers(2 * query_len * 4, 1)),
        .key = folder_.Save("k.npy", "<f4", {2, kv_len, 4},
                            NormalNumbers(2 * kv_len * 4, 2)),
        .mask = MaskKind::kArray};
    std::vector<double> live(query_len);
    for (int64_t i = 0; i < query_len; ++i) live[i] = i % 5 != 2 ? 1 : 0;
    sources.mask_array = folder_.Save("m.npy", "|b1", {query_len, 1}, live);
    return AttentionInputsOfFiles(std::move(sources));
  }

  static SequenceShape Shape(const AttentionInputsOfFiles& inputs) {
    return {inputs.query_len(), inputs.kv_len(), false, 0};
  }

  // The panel, checked as the renderer does, and the weights it stands for.
  render::AttentionPanel Panel(const AttentionInputsOfFiles& inputs,
                               const Maps& maps) {
    InspectionRequest request;
    maps.AddTo(request);
    request.weights = true;
    statistics_ = InspectEntry(inputs, 0, request);
    const SequenceShape shape = Shape(inputs);
    render::AttentionPanel panel =
        PanelOf(statistics_, Summarize(statistics_, shape, 1), shape, maps);
    render::CheckPanel(panel, "test");
    return panel;
  }

  // The mean over the queries [i0, i1) that see a key of the sums over the keys
  // [j0, j1).
  double Mean(const SequenceShape& shape, int64_t head, int64_t i0, int64_t i1,
              int64_t j0, int64_t j1) const {
    double sum = 0, live = 0;
    for (int64_t i = i0; i < std::min(i1, shape.query_len); ++i) {
      const int64_t row = head * shape.query_len + i;
      if (statistics_.live_keys[row] > 0) ++live;
      for (int64_t j = j0; j < std::min(j1, shape.kv_len); ++j)
        sum += statistics_.weights[row * shape.kv_len + j];
    }
    return live > 0 ? sum / live : 0;
  }

  // Every cell of a map of runs.
  void ExpectRuns(const SequenceShape& shape, int64_t queries_per_cell,
                  int64_t keys_per_cell, const std::vector<float>& map) const {
    const int64_t rows =
        (shape.query_len + queries_per_cell - 1) / queries_per_cell;
    const int64_t cols = (shape.kv_len + keys_per_cell - 1) / keys_per_cell;
    ASSERT_EQ(static_cast<int64_t>(map.size()), 2 * rows * cols);
    for (int64_t head = 0; head < 2; ++head) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t col = 0; col < cols; ++col) {
          ASSERT_NEAR(map[(head * rows + row) * cols + col],
                      Mean(shape, head, row * queries_per_cell,
                           (row + 1) * queries_per_cell, col * keys_per_cell,
                           (col + 1) * keys_per_cell),
                      1e-5)
              << head << " " << row << " " << col;
        }
      }
    }
  }

  NumpyFolder folder_;
  EntryStatistics statistics_;
};

TEST_F(MapsOf, Whole) {
  const AttentionInputsOfFiles inputs = Inputs(7, 9);
  const SequenceShape shape = Shape(inputs);
  EXPECT_TRUE(CanBeWhole(shape));
  Labels labels;
  labels.queries = {"a", "b", "c", "d", "e", "f", "g"};
  const auto panel = Panel(inputs, *WholeMaps(shape, labels));
  EXPECT_EQ(panel.weights, statistics_.weights);
  EXPECT_EQ(panel.heads, 2);
  EXPECT_EQ(panel.queries[6], "g");
  EXPECT_EQ(panel.keys[8], "8");
  EXPECT_EQ(panel.statistics.size(), 2u);
  EXPECT_FALSE(panel.long_sequences);
}

TEST_F(MapsOf, RunsWithFinerOnes) {
  const AttentionInputsOfFiles inputs = Inputs(300, 2100);
  const SequenceShape shape = Shape(inputs);
  EXPECT_FALSE(CanBeWhole(shape));
  const auto panel = Panel(inputs, *RunMaps(shape, {}, true));
  ASSERT_TRUE(panel.long_sequences);
  const render::LongSequences& details = *panel.long_sequences;
  EXPECT_EQ(details.queries_per_row, 4);
  EXPECT_EQ(details.keys_per_col, 32);
  ExpectRuns(shape, 4, 32, panel.weights);
  EXPECT_EQ(panel.queries.back(), "296–299");
  EXPECT_EQ(panel.keys.back(), "2080–2099");
  ASSERT_EQ(details.levels.size(), 1u);
  EXPECT_EQ(details.levels[0].queries_per_cell, 1);
  EXPECT_EQ(details.levels[0].keys_per_cell, 4);
  ExpectRuns(shape, 1, 4, details.levels[0].weights);
  ASSERT_EQ(details.top.count, 8);
  const std::size_t row = 300 + 4;  // head 2, query 4
  EXPECT_EQ(details.top.weights[row * 8],
            *std::max_element(statistics_.weights.begin() + row * 2100,
                              statistics_.weights.begin() + (row + 1) * 2100));
}

TEST_F(MapsOf, RunsForPaper) {
  const AttentionInputsOfFiles inputs = Inputs(17, 300);
  const SequenceShape shape = Shape(inputs);
  Labels labels;
  labels.queries = LabelsOrNumbers({}, 17);
  const auto panel = Panel(inputs, *RunMaps(shape, labels, false));
  ExpectRuns(shape, 1, 4, panel.weights);
  EXPECT_EQ(panel.queries[16], "16");
  EXPECT_TRUE(panel.long_sequences->levels.empty());
  EXPECT_EQ(panel.long_sequences->top.count, 0);
  EXPECT_EQ(panel.long_sequences->queries.size(), 17u);
}

TEST_F(MapsOf, Groups) {
  const AttentionInputsOfFiles inputs = Inputs(10, 6);
  const SequenceShape shape = Shape(inputs);
  const auto panel = Panel(inputs, *GroupMaps({0, 0, 2, 2, 2, -1, -1, 0, 0, 0},
                                              {1, 0, 0, 0, -1, 1}, {}));
  ASSERT_EQ(panel.queries.size(), 3u);
  ASSERT_EQ(panel.keys.size(), 2u);
  // Queries 2 and 7 see nothing.
  for (int64_t head = 0; head < 2; ++head) {
    const auto cell = [&](int64_t row, int64_t col) {
      return panel.weights[(head * 3 + row) * 2 + col];
    };
    EXPECT_NEAR(cell(2, 0), Mean(shape, head, 2, 5, 1, 4), 1e-6);
    EXPECT_NEAR(cell(2, 1),
                Mean(shape, head, 2, 5, 0, 1) + Mean(shape, head, 2, 5, 5, 6),
                1e-6);
    EXPECT_NEAR(cell(0, 0),
                (2 * Mean(shape, head, 0, 2, 1, 4) +
                 2 * Mean(shape, head, 7, 10, 1, 4)) /
                    4,
                1e-6);
    EXPECT_EQ(cell(1, 0), 0) << "a group without members";
  }
}

TEST_F(MapsOf, GroupsThatAreNone) {
  const auto refusal = [&](const std::vector<double>& numbers) {
    const Array array = folder_.Save(
        "g.npy", "<i8", {static_cast<int64_t>(numbers.size())}, numbers);
    return ErrorOf([&] { ReadGroups(array, 3, "keys"); });
  };
  EXPECT_EQ(refusal({0, -1, 1023}), "");
  EXPECT_THAT(refusal({0, 1}), HasSubstr("the 3 keys need a group each"));
  EXPECT_THAT(refusal({0, -2, 1}), HasSubstr("the group -2"));
  EXPECT_THAT(refusal({0, 1024, 1}), HasSubstr("from 0 to 1023"));
  EXPECT_THAT(refusal({-1, -1, -1}), HasSubstr("no group has a member"));
}

}  // namespace
}  // namespace keylens::inspect
