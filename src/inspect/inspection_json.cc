#include "src/inspect/inspection_json.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace keylens::inspect {
namespace {

using Json = nlohmann::ordered_json;

// Six significant digits.
double Rounded(double number) {
  return std::stod(fmt::format("{:.6g}", number));
}

void SetLabel(Json& json, const std::vector<std::string>& labels,
              int64_t number) {
  if (!labels.empty()) json["label"] = labels[static_cast<std::size_t>(number)];
}

Json KeysJson(const EntryStatistics& statistics, std::size_t row, int64_t count,
              const Labels& labels) {
  Json keys = Json::array();
  for (const KeyShare& heavy : HeaviestKeysOf(statistics, row, count)) {
    Json json = {{"key", heavy.key}};
    SetLabel(json, labels.keys, heavy.key);
    json["weight"] = Rounded(heavy.share);
    keys.push_back(std::move(json));
  }
  return keys;
}

}  // namespace

Json ToJson(const render::HeadStatistics& statistics, render::HeadKind kind,
            bool self_attention) {
  Json json = {{"kind", render::NameOf(kind)},
               {"entropy", Rounded(statistics.entropy)},
               {"even_entropy", Rounded(statistics.even_entropy)}};
  // No number where every query sees one key alone.
  json["entropy_share"] =
      statistics.even_entropy > 0
          ? Json(Rounded(statistics.entropy / statistics.even_entropy))
          : Json(nullptr);
  json["first_key"] = Rounded(statistics.first_key);
  json["top_key"] = Rounded(statistics.top_key);
  if (!self_attention) return json;
  json["mean_distance"] = Rounded(statistics.mean_distance);
  json["self"] = Rounded(statistics.self);
  json["previous"] = Rounded(statistics.previous);
  json["next"] = Rounded(statistics.next);
  return json;
}

Json ToJson(const HeadSummary& summary, const SequenceShape& shape,
            const Labels& labels) {
  Json json = ToJson(summary.statistics, summary.kind, shape.self_attention);
  json["live_queries"] = summary.live_queries;
  json["heaviest_keys"] = Json::array();
  for (const KeyShare& share : summary.heaviest_keys) {
    Json key = {{"key", share.key}};
    SetLabel(key, labels.keys, share.key);
    key["share"] = Rounded(share.share);
    json["heaviest_keys"].push_back(std::move(key));
  }
  return json;
}

Json QueryJson(int64_t query, const EntryStatistics& statistics,
               const SequenceShape& shape, int64_t count,
               const Labels& labels) {
  const std::size_t rows = statistics.entropy.size();
  const auto query_len = static_cast<std::size_t>(shape.query_len);
  Json json = {{"query", query}};
  SetLabel(json, labels.queries, query);
  json["heads"] = Json::array();
  for (auto row = static_cast<std::size_t>(query); row < rows;
       row += query_len) {
    json["heads"].push_back(
        {{"entropy", Rounded(statistics.entropy[row])},
         {"keys", KeysJson(statistics, row, count, labels)}});
  }
  return json;
}

}  // namespace keylens::inspect
