#include "src/inspect/maps.h"

#include <cstddef>

namespace keylens::inspect {
namespace {

// Cells of a map that a page can show and a picture can label.
constexpr int64_t kMostCells = 256;

}  // namespace

bool CanBeWhole(const SequenceShape& shape) {
  return shape.query_len <= kMostCells && shape.kv_len <= kMostCells;
}

render::AttentionPanel PanelOf(const EntryStatistics& statistics,
                               const std::vector<HeadSummary>& heads,
                               const SequenceShape& shape, const Maps& maps) {
  render::AttentionPanel panel;
  panel.name = "attention";
  panel.heads = static_cast<int>(heads.size());
  panel.self_attention = shape.self_attention;
  for (const HeadSummary& head : heads)
    panel.statistics.push_back(head.statistics);
  maps.Fill(statistics, panel);
  return panel;
}

std::vector<float> MeansOfGroups(const std::vector<float>& sums,
                                 const std::vector<int64_t>& live_keys,
                                 const std::vector<int32_t>& query_group,
                                 int64_t query_groups) {
  const std::size_t queries = query_group.size();
  const std::size_t heads = live_keys.size() / queries;
  const auto groups = static_cast<std::size_t>(query_groups);
  const std::size_t row = sums.size() / (heads * groups);
  std::vector<float> means = sums;
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<float> live(groups, 0);
    for (std::size_t i = 0; i < queries; ++i) {
      if (query_group[i] >= 0 && live_keys[head * queries + i] > 0)
        live[static_cast<std::size_t>(query_group[i])] += 1;
    }
    for (std::size_t group = 0; group < groups; ++group) {
      if (live[group] == 0) continue;  // sums of 0
      const std::size_t first = (head * groups + group) * row;
      for (std::size_t i = first; i < first + row; ++i) means[i] /= live[group];
    }
  }
  return means;
}

}  // namespace keylens::inspect
