#include "src/inspect/survey_outputs.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "src/inspect/head_table.h"
#include "src/inspect/inspection_json.h"

namespace keylens::inspect {
namespace {

using render::HeadStatistics;

float EntropyShare(const HeadStatistics& head) {
  return head.even_entropy > 0 ? head.entropy / head.even_entropy : 0;
}

struct Column {
  std::string name;
  std::vector<float> shares;  // one for each head
};

std::vector<Column> ColumnsOf(const SurveyedPlace& place) {
  std::vector<Column> columns;
  const auto add = [&](std::string name, const auto& share_of) {
    Column column = {std::move(name), {}};
    for (const HeadStatistics& head : place.statistics)
      column.shares.push_back(share_of(head));
    columns.push_back(std::move(column));
  };
  add("entropy, as a share of that of even weights", EntropyShare);
  const auto add_member = [&](const char* name, float HeadStatistics::*member) {
    add(name, [member](const HeadStatistics& head) { return head.*member; });
  };
  if (place.self_attention) {
    add_member("share on the key before", &HeadStatistics::previous);
    add_member("share on itself", &HeadStatistics::self);
    add_member("share on the key behind", &HeadStatistics::next);
  }
  add_member("share on the first key", &HeadStatistics::first_key);
  add_member("share on the key with most weight", &HeadStatistics::top_key);
  if (!place.agreement.empty()) {
    columns.push_back(
        {"agreement", {place.agreement.begin(), place.agreement.end()}});
  }
  return columns;
}

}  // namespace

std::string SurveyTable(const SurveyedPlace& place) {
  HeadTableTitles titles;
  titles.names = {"layer", "head"};
  titles.self_attention = place.self_attention;
  if (!place.agreement.empty()) titles.remark = "agreement";
  std::vector<HeadLine> lines;
  for (std::size_t head = 0; head < place.statistics.size(); ++head) {
    const auto heads = static_cast<std::size_t>(place.heads);
    lines.push_back(
        {{std::to_string(head / heads + 1), std::to_string(head % heads + 1)},
         place.statistics[head],
         place.Kind(head),
         place.agreement.empty() ? "" : Percent(place.agreement[head])});
  }
  return fmt::format("{}, {} queries\n", place.name, place.queries) +
         HeadTable(titles, lines);
}

nlohmann::ordered_json ToJson(const SurveyedPlace& place) {
  nlohmann::ordered_json json = {{"place", place.name},
                                 {"self_attention", place.self_attention},
                                 {"queries", place.queries},
                                 {"layers", nlohmann::ordered_json::array()}};
  std::size_t number = 0;
  for (int layer = 0; layer < place.layers; ++layer) {
    nlohmann::ordered_json heads = nlohmann::ordered_json::array();
    for (int head = 0; head < place.heads; ++head, ++number) {
      heads.push_back(ToJson(place.statistics[number], place.Kind(number),
                             place.self_attention));
      if (!place.agreement.empty())
        heads.back()["agreement"] = place.agreement[number];
    }
    json["layers"].push_back({{"heads", std::move(heads)}});
  }
  return json;
}

std::vector<render::AttentionPanel> SurveyPanels(const SurveyedPlace& place) {
  std::vector<render::AttentionPanel> panels;
  for (Column& column : ColumnsOf(place)) {
    render::AttentionPanel panel;
    panel.name = place.name + ": " + column.name;
    panel.query_axis = "layers";
    panel.key_axis = "heads";
    for (int layer = 1; layer <= place.layers; ++layer)
      panel.queries.push_back(fmt::format("layer {}", layer));
    for (int head = 1; head <= place.heads; ++head)
      panel.keys.push_back(fmt::format("head {}", head));
    panel.weights = std::move(column.shares);
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace keylens::inspect
