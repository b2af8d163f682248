#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "src/inspect/maps.h"

namespace keylens::inspect {
namespace {

// Runs of the panel's own maps, and of the finer ones, along a side.
constexpr int64_t kMostCoarse = 128;
constexpr int64_t kMostFine = 1024;
constexpr int64_t kTopKeys = 8;

int64_t RunsIn(int64_t length, int64_t run) { return (length + run - 1) / run; }

// The shortest run, a power of two, so that there are no more than `most`.
int64_t ShortestRun(int64_t length, int64_t most) {
  int64_t run = 1;
  while (RunsIn(length, run) > most) run *= 2;
  return run;
}

std::vector<int32_t> GroupsOf(int64_t length, int64_t run) {
  std::vector<int32_t> groups;
  for (int64_t i = 0; i < length; ++i)
    groups.push_back(static_cast<int32_t>(i / run));
  return groups;
}

std::vector<std::string> RunLabels(int64_t length, int64_t run) {
  std::vector<std::string> labels;
  for (int64_t first = 0; first < length; first += run) {
    const int64_t last = std::min(first + run, length) - 1;
    labels.push_back(first == last ? fmt::format("{}", first)
                                   : fmt::format("{}–{}", first, last));
  }
  return labels;
}

// One axis in runs.
struct Axis {
  Axis(int64_t places, bool finer)
      : length(places),
        coarse(ShortestRun(places, kMostCoarse)),
        asked(finer ? ShortestRun(places, kMostFine) : coarse),
        group(GroupsOf(places, asked)) {}

  int64_t Cells() const { return RunsIn(length, asked); }
  int64_t CoarseCells() const { return RunsIn(length, coarse); }
  // Whole runs that are asked for make a coarse one.
  int64_t Factor() const { return coarse / asked; }

  int64_t length;
  int64_t coarse;  // places in a run of the panel's own maps
  int64_t asked;   // in a run that the engine adds up
  std::vector<int32_t> group;
};

class OfRuns final : public Maps {
 public:
  OfRuns(const SequenceShape& shape, const Labels& labels, bool finer)
      : queries_(shape.query_len, finer),
        keys_(shape.kv_len, finer),
        labels_(labels),
        finer_(finer) {}

  void AddTo(InspectionRequest& request) const override {
    request.query_group = queries_.group;
    request.key_group = keys_.group;
    request.query_groups = queries_.Cells();
    request.key_groups = keys_.Cells();
    if (finer_) {
      request.top_keys =
          std::max(request.top_keys, std::min(kTopKeys, keys_.length));
    }
  }

  void Fill(const EntryStatistics& statistics,
            render::AttentionPanel& panel) const override {
    panel.queries = RunLabels(queries_.length, queries_.coarse);
    panel.keys = RunLabels(keys_.length, keys_.coarse);
    panel.weights = MeansOfGroups(CoarseSums(statistics), statistics.live_keys,
                                  GroupsOf(queries_.length, queries_.coarse),
                                  queries_.CoarseCells());
    render::LongSequences details;
    details.query_count = static_cast<int>(queries_.length);
    details.key_count = static_cast<int>(keys_.length);
    details.queries_per_row = static_cast<int>(queries_.coarse);
    details.keys_per_col = static_cast<int>(keys_.coarse);
    details.queries = labels_.queries;
    details.keys = labels_.keys;
    if (finer_) AddFiner(statistics, details);
    panel.long_sequences = std::move(details);
  }

 private:
  std::vector<float> CoarseSums(const EntryStatistics& statistics) const {
    const int64_t rows = queries_.Cells(), cols = keys_.Cells();
    const int64_t heads =
        static_cast<int64_t>(statistics.pooled.size()) / (rows * cols);
    std::vector<float> sums(static_cast<std::size_t>(
        heads * queries_.CoarseCells() * keys_.CoarseCells()));
    for (int64_t row = 0; row < heads * rows; ++row) {
      const int64_t head = row / rows;
      const int64_t coarse_row =
          head * queries_.CoarseCells() + row % rows / queries_.Factor();
      for (int64_t col = 0; col < cols; ++col) {
        const int64_t to =
            coarse_row * keys_.CoarseCells() + col / keys_.Factor();
        sums[static_cast<std::size_t>(to)] +=
            statistics.pooled[static_cast<std::size_t>(row * cols + col)];
      }
    }
    return sums;
  }

  void AddFiner(const EntryStatistics& statistics,
                render::LongSequences& details) const {
    if (queries_.Factor() > 1 || keys_.Factor() > 1) {
      details.levels.push_back(
          {.queries_per_cell = static_cast<int>(queries_.asked),
           .keys_per_cell = static_cast<int>(keys_.asked),
           .weights = MeansOfGroups(statistics.pooled, statistics.live_keys,
                                    queries_.group, queries_.Cells())});
    }
    const std::size_t rows = statistics.entropy.size();
    details.top.count = static_cast<int>(statistics.top_keys.size() / rows);
    details.top.keys.assign(statistics.top_keys.begin(),
                            statistics.top_keys.end());
    details.top.weights = statistics.top_weights;
  }

  Axis queries_, keys_;
  Labels labels_;
  bool finer_;
};

}  // namespace

std::unique_ptr<Maps> RunMaps(const SequenceShape& shape, const Labels& labels,
                              bool finer) {
  return std::make_unique<OfRuns>(shape, labels, finer);
}

}  // namespace keylens::inspect
