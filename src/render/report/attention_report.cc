#include "src/render/report/attention_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

namespace keylens::render {
namespace {

std::size_t CellsOf(const AttentionPanel& panel) {
  return panel.queries.size() * panel.keys.size();
}

std::span<const float> HeadOf(const AttentionPanel& panel, int step, int layer,
                              int head) {
  const std::size_t index =
      (static_cast<std::size_t>(step) * panel.layers + layer) * panel.heads +
      head;
  return std::span(panel.weights)
      .subspan(index * CellsOf(panel), CellsOf(panel));
}

// The steps, layers or heads that a choice covers, as [first, second).
struct Range {
  int first, second;

  int count() const { return second - first; }
};

Range RangeOf(const std::optional<int>& chosen, int count,
              std::string_view what) {
  if (!chosen) return {0, count};
  if (*chosen < 0 || *chosen >= count) {
    throw std::invalid_argument(
        fmt::format("MapOf: {} {} of {}", what, *chosen + 1, count));
  }
  return {*chosen, *chosen + 1};
}

const NamedMap& NamedMapOf(const AttentionPanel& panel, int named) {
  RangeOf(named, static_cast<int>(panel.named_maps.size()), "named map");
  return panel.named_maps[static_cast<std::size_t>(named)];
}

// The rows or columns of a map that a scale goes by.
Range PlacesOf(const std::optional<PictureAxis>& picture, std::size_t length) {
  if (!picture) return {0, static_cast<int>(length)};
  return {picture->first, picture->first + picture->places()};
}

// The largest weight of the maps, one behind the other, in the places that
// count.
float LargestOf(const AttentionPanel& panel, std::span<const float> maps) {
  const Range rows = PlacesOf(panel.query_picture, panel.queries.size());
  const Range cols = PlacesOf(panel.key_picture, panel.keys.size());
  const std::size_t keys = panel.keys.size();
  float largest = 0;
  for (std::size_t map = 0; map < maps.size(); map += CellsOf(panel)) {
    for (int row = rows.first; row < rows.second; ++row) {
      const auto places =
          maps.subspan(map + row * keys + cols.first, cols.count());
      largest = std::max(largest, *std::ranges::max_element(places));
    }
  }
  return largest;
}

// The weight that the heaviest cells of 9 in 10 rows, `cols` wide, are at most.
float LargestOfMostRows(std::span<const float> maps, std::size_t cols) {
  std::vector<float> largest;
  for (std::size_t row = 0; row < maps.size(); row += cols)
    largest.push_back(*std::ranges::max_element(maps.subspan(row, cols)));
  const auto chosen = largest.begin() + static_cast<std::ptrdiff_t>(
                                            (largest.size() - 1) * 9 / 10);
  std::ranges::nth_element(largest, chosen);
  return *chosen;
}

float TopOf(const AttentionPanel& panel) {
  return panel.long_sequences
             ? LargestOfMostRows(panel.weights, panel.keys.size())
             : LargestOf(panel, panel.weights);
}

float TopOfPanels(const AttentionReport& report) {
  float top = 0;
  for (const AttentionPanel& panel : report.panels)
    top = std::max(top, TopOf(panel));
  return top;
}

float OneForZero(float top) { return top > 0 ? top : 1; }

// Where there is but one layer, it goes without saying.
std::string DescribeHeads(const AttentionPanel& panel,
                          const MapChoice& choice) {
  const bool one_layer = choice.layer || panel.layers == 1;
  const bool one_head = choice.head || panel.heads == 1;
  const int head = choice.head.value_or(0) + 1;
  if (panel.layers == 1 && panel.heads == 1) return "weights";
  const std::string layer =
      panel.layers == 1
          ? ""
          : fmt::format("layer {}, ", choice.layer.value_or(0) + 1);
  if (one_layer && one_head) return fmt::format("{}head {}", layer, head);
  if (one_layer) return fmt::format("{}mean of {} heads", layer, panel.heads);
  if (choice.head)
    return fmt::format("head {}, mean of {} layers", head, panel.layers);
  if (one_head) return fmt::format("mean of {} layers", panel.layers);
  return fmt::format("mean of {} layers of {} heads", panel.layers,
                     panel.heads);
}

}  // namespace

std::vector<float> MapOf(const AttentionPanel& panel, const MapChoice& choice) {
  if (choice.named) return NamedMapOf(panel, *choice.named).weights;
  const Range steps = RangeOf(choice.step, panel.steps, "step");
  const Range layers = RangeOf(choice.layer, panel.layers, "layer");
  const Range heads = RangeOf(choice.head, panel.heads, "head");
  std::vector<double> sum(CellsOf(panel));
  for (int step = steps.first; step < steps.second; ++step) {
    for (int layer = layers.first; layer < layers.second; ++layer) {
      for (int head = heads.first; head < heads.second; ++head) {
        const std::span<const float> map = HeadOf(panel, step, layer, head);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += map[i];
      }
    }
  }
  const double count =
      static_cast<double>(steps.count()) * layers.count() * heads.count();
  std::vector<float> mean(sum.size());
  std::ranges::transform(sum, mean.begin(), [&](double s) {
    return static_cast<float>(s / count);
  });
  return mean;
}

std::string DescribeMap(const AttentionPanel& panel, const MapChoice& choice) {
  if (choice.named) return NamedMapOf(panel, *choice.named).name;
  std::string heads = DescribeHeads(panel, choice);
  if (panel.steps == 1 || !choice.step) return heads;
  return heads + ", " + NameOfStep(panel, *choice.step);
}

std::string NameOfStep(const AttentionPanel& panel, int step) {
  if (panel.step_names.empty()) return fmt::format("step {}", step + 1);
  return panel.step_names.at(static_cast<std::size_t>(step));
}

std::vector<MapChoice> MapsOfLayer(const AttentionPanel& panel, int layer) {
  std::vector<MapChoice> maps;
  if (panel.heads > 1 && panel.layers > 1) maps.push_back({layer, {}});
  for (int head = 0; head < panel.heads; ++head) maps.push_back({layer, head});
  return maps;
}

float ScaleTop(const AttentionReport& report) {
  if (report.scale_top > 0) return report.scale_top;
  return OneForZero(TopOfPanels(report));
}

bool ExceedsScale(const AttentionReport& report) {
  const float top = ScaleTop(report);
  return std::ranges::any_of(report.panels, [&](const AttentionPanel& panel) {
    return std::ranges::any_of(panel.weights,
                               [&](float weight) { return weight > top; });
  });
}

float ScaleTop(const AttentionPanel& panel, const MapLevel& level) {
  const int keys = panel.long_sequences->key_count;
  const int cols = (keys + level.keys_per_cell - 1) / level.keys_per_cell;
  return OneForZero(
      LargestOfMostRows(level.weights, static_cast<std::size_t>(cols)));
}

float ScaleTop(const AttentionPanel& panel, const NamedMap& map) {
  return OneForZero(LargestOf(panel, map.weights));
}

}  // namespace keylens::render
