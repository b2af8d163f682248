#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "src/render/attention_report_outputs.h"

namespace keylens::render {
namespace {

using Json = nlohmann::ordered_json;

// The double that is written with the number's first 5 significant digits.
double Rounded(float number) {
  char text[32];
  *fmt::format_to_n(text, sizeof(text) - 1, "{:.5g}", number).out = '\0';
  return std::strtod(text, nullptr);
}

// The numbers, row-major, as arrays in arrays.
Json Nested(std::span<const float> numbers,
            std::span<const std::size_t> shape) {
  Json array = Json::array();
  if (shape.size() == 1) {
    for (const float number : numbers) array.push_back(Rounded(number));
    return array;
  }
  const std::size_t part = numbers.size() / shape.front();
  for (std::size_t i = 0; i < shape.front(); ++i) {
    array.push_back(Nested(numbers.subspan(i * part, part), shape.subspan(1)));
  }
  return array;
}

Json MeansOverHeads(const AttentionPanel& panel,
                    std::span<const std::size_t> shape) {
  Json layers = Json::array();
  for (int layer = 0; layer < panel.layers; ++layer)
    layers.push_back(Nested(MapOf(panel, {layer, {}}), shape));
  return layers;
}

Json ToJson(const AttentionPanel& panel) {
  const std::vector<std::size_t> shape = {
      static_cast<std::size_t>(panel.layers),
      static_cast<std::size_t>(panel.heads), panel.queries.size(),
      panel.keys.size()};
  const std::span<const std::size_t> all = shape;
  Json json = {{"name", panel.name},         {"query_axis", panel.query_axis},
               {"key_axis", panel.key_axis}, {"queries", panel.queries},
               {"keys", panel.keys},         {"layers", panel.layers},
               {"heads", panel.heads},       {"mean", nullptr},
               {"mean_over_heads", nullptr}, {"weights", nullptr}};
  json["mean"] = Nested(MapOf(panel, {}), all.last(2));
  json["mean_over_heads"] = MeansOverHeads(panel, all.last(2));
  json["weights"] = Nested(panel.weights, all);
  if (!panel.entropy.empty())
    json["entropy"] = Nested(panel.entropy, all.first(2));
  return json;
}

}  // namespace

std::string AttentionReportJson(const AttentionReport& report) {
  CheckReport(report, "AttentionReportJson");
  Json panels = Json::array();
  for (const AttentionPanel& panel : report.panels)
    panels.push_back(ToJson(panel));
  const Json json = {{"format", "keylens attention report"},
                     {"version", 1},
                     {"title", report.title},
                     {"notes", report.notes},
                     {"scale_top", Rounded(ScaleTop(report))},
                     {"panels", std::move(panels)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace keylens::render
