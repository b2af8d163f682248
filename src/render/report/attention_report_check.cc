#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>

#include "src/image/check_image.h"
#include "src/render/report/attention_report.h"

namespace keylens::render {
namespace {

std::string ShapeOf(const AttentionPanel& panel) {
  const std::string steps =
      panel.steps == 1 ? "" : fmt::format("steps {}, ", panel.steps);
  return fmt::format("[{}layers {}, heads {}, queries {}, keys {}]", steps,
                     panel.layers, panel.heads, panel.queries.size(),
                     panel.keys.size());
}

// The checks of one panel for one function.
class PanelCheck {
 public:
  PanelCheck(const AttentionPanel& panel, const char* function)
      : panel_(panel), function_(function) {}

  void Run() const {
    if (panel_.steps < 1 || panel_.layers < 1 || panel_.heads < 1 ||
        panel_.queries.empty() || panel_.keys.empty()) {
      Fail("no size may be 0");
    }
    const std::size_t cells = panel_.queries.size() * panel_.keys.size();
    CheckCount(panel_.weights.size(), panel_.steps * Heads() * cells,
               "weights");
    CheckNumbers(panel_.weights, "a weight");
    CheckCountOrNone(panel_.step_names.size(), panel_.steps, "names of steps");
    CheckStatistics();
    CheckPicture(panel_.query_picture, panel_.queries.size(), "queries");
    CheckPicture(panel_.key_picture, panel_.keys.size(), "keys");
    for (const NamedMap& map : panel_.named_maps) {
      CheckCount(map.weights.size(), cells, "weights of \"" + map.name + "\"");
      CheckNumbers(map.weights, "a weight of \"" + map.name + "\"");
    }
    if (panel_.long_sequences) CheckLong(*panel_.long_sequences);
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}: panel \"{}\" {}: {}",
                                            function_, panel_.name,
                                            ShapeOf(panel_), why));
  }

  std::size_t Heads() const {
    return static_cast<std::size_t>(panel_.layers) * panel_.heads;
  }

  void CheckCount(std::size_t count, std::size_t expected,
                  const std::string& what) const {
    if (count != expected)
      Fail(fmt::format("{} {} instead of {}", count, what, expected));
  }

  void CheckCountOrNone(std::size_t count, std::size_t expected,
                        const std::string& what) const {
    if (count > 0) CheckCount(count, expected, what);
  }

  void CheckNumbers(std::span<const float> numbers,
                    const std::string& what) const {
    const auto good = [](float number) {
      return std::isfinite(number) && number >= 0;
    };
    const auto bad = std::ranges::find_if_not(numbers, good);
    if (bad == numbers.end()) return;
    Fail(fmt::format("{} of {}, which must be finite and not negative", what,
                     *bad));
  }

  void CheckStatistics() const {
    CheckCountOrNone(panel_.statistics.size(), Heads(), "statistics");
    for (const HeadStatistics& head : panel_.statistics) {
      CheckNumbers(std::array{head.entropy, head.even_entropy, head.first_key,
                              head.top_key, head.mean_distance, head.self,
                              head.previous, head.next},
                   "a statistic");
    }
  }

  void CheckPicture(const std::optional<PictureAxis>& axis, std::size_t length,
                    const char* what) const {
    if (!axis) return;
    CheckImage(axis->picture, function_);
    const bool fits =
        axis->rows > 0 && axis->cols > 0 && axis->first >= 0 &&
        axis->first + static_cast<double>(axis->rows) * axis->cols <=
            static_cast<double>(length);
    if (!fits) {
      Fail(fmt::format("a picture of {} x {} places from number {} on as {}",
                       axis->rows, axis->cols, axis->first, what));
    }
  }

  void CheckLong(const LongSequences& sequences) const;
  void CheckLevel(const LongSequences& sequences, const MapLevel& level,
                  int coarser_queries, int coarser_keys) const;
  void CheckTop(const LongSequences& sequences) const;

  const AttentionPanel& panel_;
  const char* function_;
};

// How many runs of `run` there are; 0 where there can be none.
std::size_t Runs(int count, int run) {
  if (count < 1 || run < 1) return 0;
  return (static_cast<std::size_t>(count) + run - 1) / run;
}

void PanelCheck::CheckLong(const LongSequences& sequences) const {
  if (panel_.steps > 1 || panel_.query_picture || panel_.key_picture ||
      !panel_.named_maps.empty()) {
    Fail("long sequences with steps, a picture or named maps");
  }
  CheckCount(panel_.queries.size(),
             Runs(sequences.query_count, sequences.queries_per_row),
             "runs of queries");
  CheckCount(panel_.keys.size(),
             Runs(sequences.key_count, sequences.keys_per_col), "runs of keys");
  CheckCountOrNone(sequences.queries.size(), sequences.query_count,
                   "labels of single queries");
  CheckCountOrNone(sequences.keys.size(), sequences.key_count,
                   "labels of single keys");
  int queries = sequences.queries_per_row, keys = sequences.keys_per_col;
  for (const MapLevel& level : sequences.levels) {
    CheckLevel(sequences, level, queries, keys);
    queries = level.queries_per_cell;
    keys = level.keys_per_cell;
  }
  CheckTop(sequences);
}

void PanelCheck::CheckLevel(const LongSequences& sequences,
                            const MapLevel& level, int coarser_queries,
                            int coarser_keys) const {
  const int queries = level.queries_per_cell, keys = level.keys_per_cell;
  const bool divides = queries > 0 && keys > 0 &&
                       coarser_queries % queries == 0 &&
                       coarser_keys % keys == 0;
  if (!divides || (queries == coarser_queries && keys == coarser_keys)) {
    Fail(fmt::format("a level of {} x {} below one of {} x {}", queries, keys,
                     coarser_queries, coarser_keys));
  }
  CheckCount(level.weights.size(),
             Heads() * Runs(sequences.query_count, queries) *
                 Runs(sequences.key_count, keys),
             "weights of a level");
  CheckNumbers(level.weights, "a weight of a level");
}

void PanelCheck::CheckTop(const LongSequences& sequences) const {
  const TopKeys& top = sequences.top;
  if (top.count < 0) Fail("a negative count of top keys");
  const std::size_t count = Heads() * sequences.query_count * top.count;
  CheckCount(top.keys.size(), count, "top keys");
  CheckCount(top.weights.size(), count, "weights of top keys");
  CheckNumbers(top.weights, "a weight of a top key");
  for (const int32_t key : top.keys) {
    if (key < -1 || key >= sequences.key_count)
      Fail(fmt::format("the top key {}", key));
  }
}

}  // namespace

void CheckPanel(const AttentionPanel& panel, const char* function) {
  PanelCheck(panel, function).Run();
}

void CheckReport(const AttentionReport& report, const char* function) {
  if (report.panels.empty()) {
    throw std::invalid_argument(
        fmt::format("{}: a report without panels", function));
  }
  if (!std::isfinite(report.scale_top) || report.scale_top < 0) {
    throw std::invalid_argument(
        fmt::format("{}: a scale up to {}", function, report.scale_top));
  }
  for (const AttentionPanel& panel : report.panels) CheckPanel(panel, function);
}

}  // namespace keylens::render
