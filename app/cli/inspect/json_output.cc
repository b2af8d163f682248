#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/inspect/outputs.h"
#include "src/inspect/inspection_json.h"

namespace keylens::cli {
namespace {

using nlohmann::ordered_json;

ordered_json ArrayJson(const inspect::Array& array) {
  return {{"file", array.place},
          {"type", inspect::NameOfType(array.type)},
          {"shape", array.shape}};
}

ordered_json InputsJson(const InspectTask& task,
                        const InspectOptions& options) {
  const inspect::AttentionInputsOfFiles& inputs = task.inputs;
  return {{"query", ArrayJson(inputs.sources().query)},
          {"key", ArrayJson(inputs.sources().key)},
          {"mask", MaskText(options)},
          {"scale", inputs.scale()},
          {"batch", inputs.batch()},
          {"heads", inputs.heads()},
          {"kv_heads", inputs.kv_heads()},
          {"query_len", inputs.query_len()},
          {"kv_len", inputs.kv_len()},
          {"self_attention", task.shape.self_attention}};
}

std::string Dump(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Without the last brace, for members that follow.
std::string Opened(const ordered_json& json) {
  std::string text = Dump(json);
  text.pop_back();
  return text;
}

}  // namespace

// Many queries are many numbers: each is a line, written as it is made.
void PrintJson(const InspectTask& task, const InspectedEntry& entry,
               const InspectOptions& options) {
  const bool first = entry.number == task.entries.front();
  std::cout << (first ? Opened(InputsJson(task, options)) + ",\n\"entries\":[\n"
                      : ",\n");
  ordered_json json = {{"entry", entry.number},
                       {"seconds", entry.statistics.seconds},
                       {"heads", ordered_json::array()}};
  for (const inspect::HeadSummary& head : entry.heads)
    json["heads"].push_back(inspect::ToJson(head, task.shape, task.labels));
  std::cout << Opened(json);
  if (!task.queries.empty()) {
    std::cout << ",\n\"queries\":[";
    for (std::size_t i = 0; i < task.queries.size(); ++i) {
      std::cout << (i > 0 ? ",\n" : "\n")
                << Dump(inspect::QueryJson(task.queries[i], entry.statistics,
                                           task.shape, options.top,
                                           task.labels));
    }
    std::cout << "]";
  }
  std::cout << "}";
  if (entry.number == task.entries.back()) std::cout << "\n]}\n";
}

}  // namespace keylens::cli
