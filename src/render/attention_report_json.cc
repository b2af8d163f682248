#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "src/image/image.h"
#include "src/render/attention_report_outputs.h"
#include "src/render/base64.h"

namespace keylens::render {
namespace {

using Json = nlohmann::ordered_json;
using Shape = std::vector<std::size_t>;

// The double that is written with the number's first 5 significant digits.
double Rounded(float number) {
  char text[32];
  *fmt::format_to_n(text, sizeof(text) - 1, "{:.5g}", number).out = '\0';
  return std::strtod(text, nullptr);
}

Json ToJson(float number) { return Rounded(number); }
Json ToJson(int32_t number) { return number; }

// The numbers, row-major, as arrays in arrays.
template <typename Number>
Json Nested(std::span<const Number> numbers,
            std::span<const std::size_t> shape) {
  Json array = Json::array();
  if (shape.size() == 1) {
    for (const Number number : numbers) array.push_back(ToJson(number));
    return array;
  }
  const std::size_t part = numbers.size() / shape.front();
  for (std::size_t i = 0; i < shape.front(); ++i) {
    array.push_back(Nested(numbers.subspan(i * part, part), shape.subspan(1)));
  }
  return array;
}

Json Nested(const std::vector<float>& numbers, const Shape& shape) {
  return Nested(std::span(numbers), std::span(shape));
}

Shape MapShape(const AttentionPanel& panel) {
  return {panel.queries.size(), panel.keys.size()};
}

Shape HeadsAnd(const AttentionPanel& panel, const Shape& rest) {
  Shape shape = {static_cast<std::size_t>(panel.layers),
                 static_cast<std::size_t>(panel.heads)};
  shape.insert(shape.end(), rest.begin(), rest.end());
  return shape;
}

Json MeansOverHeads(const AttentionPanel& panel) {
  Json layers = Json::array();
  for (int layer = 0; layer < panel.layers; ++layer)
    layers.push_back(Nested(MapOf(panel, {layer, {}}), MapShape(panel)));
  return layers;
}

Json ToJson(const HeadStatistics& head, bool self_attention) {
  return {{"kind", NameOf(KindOf(head, self_attention))},
          {"entropy", Rounded(head.entropy)},
          {"even_entropy", Rounded(head.even_entropy)},
          {"first_key", Rounded(head.first_key)},
          {"top_key", Rounded(head.top_key)},
          {"mean_distance", Rounded(head.mean_distance)},
          {"self", Rounded(head.self)},
          {"previous", Rounded(head.previous)},
          {"next", Rounded(head.next)}};
}

Json StatisticsJson(const AttentionPanel& panel) {
  Json layers = Json::array();
  for (int layer = 0; layer < panel.layers; ++layer) {
    Json heads = Json::array();
    for (int head = 0; head < panel.heads; ++head) {
      const auto index = static_cast<std::size_t>(layer) * panel.heads + head;
      heads.push_back(ToJson(panel.statistics[index], panel.self_attention));
    }
    layers.push_back(std::move(heads));
  }
  return layers;
}

Json ToJson(const PictureAxis& axis) {
  return {{"rows", axis.rows},
          {"cols", axis.cols},
          {"first", axis.first},
          {"width", axis.picture.width},
          {"height", axis.picture.height},
          {"png", Base64(EncodePng(axis.picture))}};
}

Json NamedMapsJson(const AttentionPanel& panel) {
  Json maps = Json::array();
  for (const NamedMap& map : panel.named_maps) {
    maps.push_back({{"name", map.name},
                    {"scale_top", Rounded(ScaleTop(panel, map))},
                    {"weights", Nested(map.weights, MapShape(panel))}});
  }
  return maps;
}

std::size_t Runs(int count, int run) {
  return (static_cast<std::size_t>(count) + run - 1) / run;
}

Json LevelsJson(const AttentionPanel& panel) {
  const LongSequences& sequences = *panel.long_sequences;
  Json levels = Json::array();
  for (const MapLevel& level : sequences.levels) {
    const Shape cells = {Runs(sequences.query_count, level.queries_per_cell),
                         Runs(sequences.key_count, level.keys_per_cell)};
    levels.push_back(
        {{"queries_per_cell", level.queries_per_cell},
         {"keys_per_cell", level.keys_per_cell},
         {"weights", Nested(level.weights, HeadsAnd(panel, cells))}});
  }
  return levels;
}

Json LongJson(const AttentionPanel& panel) {
  const LongSequences& sequences = *panel.long_sequences;
  Json json = {{"query_count", sequences.query_count},
               {"key_count", sequences.key_count},
               {"queries_per_row", sequences.queries_per_row},
               {"keys_per_col", sequences.keys_per_col},
               {"queries", sequences.queries},
               {"keys", sequences.keys},
               {"levels", LevelsJson(panel)}};
  if (sequences.top.count > 0) {
    const Shape shape =
        HeadsAnd(panel, {static_cast<std::size_t>(sequences.query_count),
                         static_cast<std::size_t>(sequences.top.count)});
    json["top_keys"] = Nested(std::span(sequences.top.keys), std::span(shape));
    json["top_weights"] = Nested(sequences.top.weights, shape);
  }
  return json;
}

void AddOptional(const AttentionPanel& panel, Json& json) {
  if (!panel.step_names.empty()) json["step_names"] = panel.step_names;
  if (!panel.statistics.empty()) json["statistics"] = StatisticsJson(panel);
  if (panel.query_picture) json["query_picture"] = ToJson(*panel.query_picture);
  if (panel.key_picture) json["key_picture"] = ToJson(*panel.key_picture);
  if (!panel.named_maps.empty()) json["named_maps"] = NamedMapsJson(panel);
  if (panel.long_sequences) json["long_sequences"] = LongJson(panel);
}

Json ToJson(const AttentionPanel& panel) {
  const Shape map = MapShape(panel);
  Shape all = HeadsAnd(panel, map);
  all.insert(all.begin(), static_cast<std::size_t>(panel.steps));
  Json json = {{"name", panel.name},
               {"query_axis", panel.query_axis},
               {"key_axis", panel.key_axis},
               {"queries", panel.queries},
               {"keys", panel.keys},
               {"self_attention", panel.self_attention},
               {"steps", panel.steps},
               {"layers", panel.layers},
               {"heads", panel.heads},
               {"mean", Nested(MapOf(panel, {}), map)},
               {"mean_over_heads", MeansOverHeads(panel)},
               {"weights", Nested(panel.weights, all)}};
  AddOptional(panel, json);
  return json;
}

}  // namespace

std::string AttentionReportJson(const AttentionReport& report) {
  CheckReport(report, "AttentionReportJson");
  Json panels = Json::array();
  for (const AttentionPanel& panel : report.panels)
    panels.push_back(ToJson(panel));
  const Json json = {{"format", "keylens attention report"},
                     {"version", 2},
                     {"title", report.title},
                     {"notes", report.notes},
                     {"scale_top", Rounded(ScaleTop(report))},
                     {"panels", std::move(panels)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace keylens::render
