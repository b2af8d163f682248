#include "src/render/attention_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

namespace keylens::render {
namespace {

std::size_t CellsOf(const AttentionPanel& panel) {
  return panel.queries.size() * panel.keys.size();
}

std::span<const float> HeadOf(const AttentionPanel& panel, int layer,
                              int head) {
  const std::size_t index =
      static_cast<std::size_t>(layer) * panel.heads + head;
  return std::span(panel.weights)
      .subspan(index * CellsOf(panel), CellsOf(panel));
}

std::string ShapeOf(const AttentionPanel& panel) {
  return fmt::format("[layers {}, heads {}, queries {}, keys {}]", panel.layers,
                     panel.heads, panel.queries.size(), panel.keys.size());
}

void CheckNumbers(std::span<const float> numbers, const AttentionPanel& panel,
                  const char* what, const char* function) {
  for (const float number : numbers) {
    if (!std::isfinite(number) || number < 0) {
      throw std::invalid_argument(
          fmt::format("{}: panel \"{}\": {} {}, which must be finite and not "
                      "negative",
                      function, panel.name, what, number));
    }
  }
}

// The layers or heads that a choice covers, as [first, second).
struct Range {
  int first, second;
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

float Largest(const AttentionReport& report) {
  float largest = 0;
  for (const AttentionPanel& panel : report.panels) {
    largest = std::max(largest, *std::ranges::max_element(panel.weights));
  }
  return largest;
}

double EntropyOf(std::span<const float> map) {
  double sum = 0;
  for (const float weight : map) {
    if (weight > 0) sum -= weight * std::log(static_cast<double>(weight));
  }
  return sum;
}

}  // namespace

void CheckPanel(const AttentionPanel& panel, const char* function) {
  const bool shaped = panel.layers > 0 && panel.heads > 0 &&
                      !panel.queries.empty() && !panel.keys.empty();
  const std::size_t maps =
      shaped ? static_cast<std::size_t>(panel.layers) * panel.heads : 0;
  const bool fits = panel.weights.size() == maps * CellsOf(panel) &&
                    (panel.entropy.empty() || panel.entropy.size() == maps);
  if (!shaped || !fits) {
    throw std::invalid_argument(
        fmt::format("{}: panel \"{}\" {}: {} weights and {} entropies",
                    function, panel.name, ShapeOf(panel), panel.weights.size(),
                    panel.entropy.size()));
  }
  CheckNumbers(panel.weights, panel, "a weight of", function);
  CheckNumbers(panel.entropy, panel, "an entropy of", function);
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

std::vector<float> MapOf(const AttentionPanel& panel, const MapChoice& choice) {
  const Range layers = RangeOf(choice.layer, panel.layers, "layer");
  const Range heads = RangeOf(choice.head, panel.heads, "head");
  std::vector<double> sum(CellsOf(panel));
  for (int layer = layers.first; layer < layers.second; ++layer) {
    for (int head = heads.first; head < heads.second; ++head) {
      const std::span<const float> map = HeadOf(panel, layer, head);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += map[i];
    }
  }
  const int count =
      (layers.second - layers.first) * (heads.second - heads.first);
  std::vector<float> mean(sum.size());
  std::ranges::transform(sum, mean.begin(), [&](double s) {
    return static_cast<float>(s / count);
  });
  return mean;
}

std::string DescribeMap(const AttentionPanel& panel, const MapChoice& choice) {
  const bool one_layer = choice.layer || panel.layers == 1;
  const bool one_head = choice.head || panel.heads == 1;
  const int layer = choice.layer.value_or(0) + 1;
  const int head = choice.head.value_or(0) + 1;
  if (one_layer && one_head)
    return fmt::format("layer {}, head {}", layer, head);
  if (one_layer)
    return fmt::format("layer {}, mean of {} heads", layer, panel.heads);
  if (choice.head)
    return fmt::format("head {}, mean of {} layers", head, panel.layers);
  if (one_head) return fmt::format("mean of {} layers", panel.layers);
  return fmt::format("mean of {} layers of {} heads", panel.layers,
                     panel.heads);
}

std::vector<MapChoice> MapsOfLayer(const AttentionPanel& panel, int layer) {
  std::vector<MapChoice> maps;
  if (panel.heads > 1 && panel.layers > 1) maps.push_back({layer, {}});
  for (int head = 0; head < panel.heads; ++head) maps.push_back({layer, head});
  return maps;
}

std::vector<float> MeanEntropy(const AttentionPanel& panel) {
  CheckPanel(panel, "MeanEntropy");
  std::vector<float> entropy;
  for (int layer = 0; layer < panel.layers; ++layer) {
    for (int head = 0; head < panel.heads; ++head) {
      entropy.push_back(
          static_cast<float>(EntropyOf(HeadOf(panel, layer, head)) /
                             static_cast<double>(panel.queries.size())));
    }
  }
  return entropy;
}

float ScaleTop(const AttentionReport& report) {
  if (report.scale_top > 0) return report.scale_top;
  const float largest = Largest(report);
  return largest > 0 ? largest : 1;
}

bool ExceedsScale(const AttentionReport& report) {
  return Largest(report) > ScaleTop(report);
}

}  // namespace keylens::render
