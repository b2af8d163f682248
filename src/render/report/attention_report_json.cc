#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "src/image/image.h"
#include "src/render/report/attention_report_outputs.h"
#include "src/render/report/base64.h"
#include "src/render/report/report_arrays.h"
#include "src/render/report/report_json.h"

namespace keylens::render {
namespace {

using Json = nlohmann::ordered_json;

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

Json ToJson(const PictureAxis& axis) {
  return {{"rows", axis.rows},
          {"cols", axis.cols},
          {"first", axis.first},
          {"width", axis.picture.width},
          {"height", axis.picture.height},
          {"png", Base64(EncodePng(axis.picture))}};
}

std::size_t Runs(int count, int run) {
  return (static_cast<std::size_t>(count) + run - 1) / run;
}

// One panel, with its arrays nested or packed.
class PanelJson {
 public:
  PanelJson(const AttentionPanel& panel, bool packed)
      : panel_(panel),
        packed_(packed),
        map_({panel.queries.size(), panel.keys.size()}) {}

  Json Make() const {
    Json json = {{"name", panel_.name},
                 {"query_axis", panel_.query_axis},
                 {"key_axis", panel_.key_axis},
                 {"queries", panel_.queries},
                 {"keys", panel_.keys},
                 {"self_attention", panel_.self_attention},
                 {"steps", panel_.steps},
                 {"layers", panel_.layers},
                 {"heads", panel_.heads}};
    if (!packed_) {
      json["mean"] = NestedArray(MapOf(panel_, {}), map_);
      json["mean_over_heads"] = MeansOverHeads();
    }
    Shape all = HeadsAnd(map_);
    all.insert(all.begin(), static_cast<std::size_t>(panel_.steps));
    json["weights"] = Array(panel_.weights, all);
    AddOptional(json);
    return json;
  }

 private:
  template <typename Number>
  Json Array(const std::vector<Number>& numbers, const Shape& shape) const {
    const std::span<const Number> all = numbers;
    return packed_ ? PackedArray(all) : NestedArray(all, shape);
  }

  Shape HeadsAnd(const Shape& rest) const {
    Shape shape = {static_cast<std::size_t>(panel_.layers),
                   static_cast<std::size_t>(panel_.heads)};
    shape.insert(shape.end(), rest.begin(), rest.end());
    return shape;
  }

  Json MeansOverHeads() const {
    Json layers = Json::array();
    for (int layer = 0; layer < panel_.layers; ++layer)
      layers.push_back(NestedArray(MapOf(panel_, {layer, {}}), map_));
    return layers;
  }

  void AddOptional(Json& json) const {
    if (!panel_.step_names.empty()) json["step_names"] = panel_.step_names;
    if (!panel_.statistics.empty()) json["statistics"] = Statistics();
    if (panel_.query_picture)
      json["query_picture"] = ToJson(*panel_.query_picture);
    if (panel_.key_picture) json["key_picture"] = ToJson(*panel_.key_picture);
    if (!panel_.named_maps.empty()) json["named_maps"] = NamedMaps();
    if (panel_.long_sequences)
      json["long_sequences"] = Long(*panel_.long_sequences);
  }

  Json Statistics() const {
    Json layers = Json::array();
    auto head = panel_.statistics.begin();
    for (int layer = 0; layer < panel_.layers; ++layer) {
      Json heads = Json::array();
      for (int i = 0; i < panel_.heads; ++i)
        heads.push_back(ToJson(*head++, panel_.self_attention));
      layers.push_back(std::move(heads));
    }
    return layers;
  }

  Json NamedMaps() const {
    Json maps = Json::array();
    for (const NamedMap& map : panel_.named_maps) {
      maps.push_back({{"name", map.name},
                      {"scale_top", Rounded(ScaleTop(panel_, map))},
                      {"weights", Array(map.weights, map_)}});
    }
    return maps;
  }

  Json Long(const LongSequences& sequences) const {
    Json json = {{"query_count", sequences.query_count},
                 {"key_count", sequences.key_count},
                 {"queries_per_row", sequences.queries_per_row},
                 {"keys_per_col", sequences.keys_per_col},
                 {"queries", sequences.queries},
                 {"keys", sequences.keys},
                 {"levels", Json::array()}};
    for (const MapLevel& level : sequences.levels)
      json["levels"].push_back(Level(sequences, level));
    if (sequences.top.count == 0) return json;
    const Shape shape =
        HeadsAnd({static_cast<std::size_t>(sequences.query_count),
                  static_cast<std::size_t>(sequences.top.count)});
    json["top_count"] = sequences.top.count;
    json["top_keys"] = Array(sequences.top.keys, shape);
    json["top_weights"] = Array(sequences.top.weights, shape);
    return json;
  }

  Json Level(const LongSequences& sequences, const MapLevel& level) const {
    const std::size_t rows =
        Runs(sequences.query_count, level.queries_per_cell);
    const std::size_t cols = Runs(sequences.key_count, level.keys_per_cell);
    const auto heads = static_cast<std::size_t>(panel_.layers) * panel_.heads;
    Json json = {{"queries_per_cell", level.queries_per_cell},
                 {"keys_per_cell", level.keys_per_cell},
                 {"scale_top", Rounded(ScaleTop(panel_, level))}};
    if (packed_) {
      json.update(PackedTiles(level.weights, heads, rows, cols));
    } else {
      json["weights"] = NestedArray(level.weights, HeadsAnd({rows, cols}));
    }
    return json;
  }

  const AttentionPanel& panel_;
  bool packed_;
  Shape map_;  // of one map
};

std::string ReportJson(const AttentionReport& report, bool packed) {
  Json panels = Json::array();
  for (const AttentionPanel& panel : report.panels)
    panels.push_back(PanelJson(panel, packed).Make());
  const Json json = {{"format", "keylens attention report"},
                     {"version", 2},
                     {"title", report.title},
                     {"notes", report.notes},
                     {"quantity", report.quantity},
                     {"scale_top", Rounded(ScaleTop(report))},
                     {"panels", std::move(panels)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string AttentionReportJson(const AttentionReport& report) {
  CheckReport(report, "AttentionReportJson");
  return ReportJson(report, false);
}

std::string PackedReportJson(const AttentionReport& report) {
  CheckReport(report, "PackedReportJson");
  return ReportJson(report, true);
}

}  // namespace keylens::render
