// keylens inspect: what the heads of any attention do, from its queries and
// keys.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/number_list.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/checkpoint/header_text.h"
#include "src/inspect/attention_inputs.h"
#include "src/inspect/head_summary.h"
#include "src/inspect/head_table.h"
#include "src/inspect/inspect.h"
#include "src/inspect/inspection_json.h"
#include "src/inspect/labels.h"
#include "src/inspect/maps.h"
#include "src/render/report/printable_text.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::cli {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::string query, key, mask;
  bool causal = false;
  bool cross = false;
  bool length_first = false;
  std::optional<float> scale;
  std::string labels, query_labels, key_labels;
  std::string groups, query_groups, key_groups, group_labels;
  std::string queries;  // to list
  int64_t top = 3;
  std::optional<int64_t> batch_item;
  std::string maps;
  bool json = false;
  int threads = 0;
};

// What the files say, and what to ask of it.
struct Task {
  inspect::AttentionInputsOfFiles inputs;
  inspect::SequenceShape shape;
  inspect::Labels labels;
  std::vector<int64_t> queries;  // to list
  std::vector<int64_t> entries;  // of the batch
  std::unique_ptr<inspect::Maps> maps;
};

// One batch entry, looked at.
struct Entry {
  int64_t number = 0;
  inspect::EntryStatistics statistics;
  std::vector<inspect::HeadSummary> heads;
};

// --- What is asked ---

void CheckOptions(const Options& options) {
  const bool groups = !options.groups.empty() ||
                      !options.query_groups.empty() ||
                      !options.key_groups.empty();
  if (options.query_groups.empty() != options.key_groups.empty())
    throw UsageError("--query-groups and --key-groups need each other");
  if (groups && options.maps.empty())
    throw UsageError("groups are for pictures: give --maps, too");
  if (!options.group_labels.empty() && options.groups.empty())
    throw UsageError("--group-labels names the groups of --groups");
  if (options.cross && options.causal)
    throw UsageError("--causal looks back in one sequence: without --cross");
  if (options.maps.empty()) return;
  try {
    render::CheckReportPath(options.maps);
  } catch (const Error& error) {
    throw UsageError(std::string("--maps: ") + error.what());
  }
}

inspect::AttentionInputsOfFiles ReadInputs(const Options& options,
                                           inspect::ArrayReader& reader) {
  inspect::AttentionSources sources;
  sources.query = reader.Read(options.query);
  sources.key = reader.Read(options.key);
  if (options.length_first) sources.order = inspect::AxisOrder::kLengthFirst;
  if (options.causal) sources.mask = inspect::MaskKind::kCausal;
  if (!options.mask.empty()) {
    sources.mask = inspect::MaskKind::kArray;
    sources.mask_array = reader.Read(options.mask);
  }
  sources.scale = options.scale;
  return inspect::AttentionInputsOfFiles(std::move(sources));
}

// Places of one sequence, as far as can be told.
bool IsSelfAttention(const Options& options,
                     const inspect::AttentionInputsOfFiles& inputs) {
  return !options.cross &&
         (options.causal || inputs.query_len() == inputs.kv_len());
}

inspect::Labels ReadLabels(const Options& options,
                           const inspect::SequenceShape& shape) {
  inspect::Labels labels;
  if (!options.labels.empty()) {
    if (!shape.self_attention || shape.query_len > shape.kv_len) {
      throw UsageError(
          "--labels names the places of one sequence; give --query-labels and "
          "--key-labels");
    }
    labels.keys = inspect::ReadLabels(options.labels, shape.kv_len, "keys");
    labels.queries = {labels.keys.end() - shape.query_len, labels.keys.end()};
  }
  if (!options.query_labels.empty()) {
    labels.queries =
        inspect::ReadLabels(options.query_labels, shape.query_len, "queries");
  }
  if (!options.key_labels.empty()) {
    labels.keys = inspect::ReadLabels(options.key_labels, shape.kv_len, "keys");
  }
  return labels;
}

std::unique_ptr<inspect::Maps> MakeGroupMaps(
    const Options& options, const inspect::SequenceShape& shape,
    inspect::ArrayReader& reader) {
  const bool alike = !options.groups.empty();
  std::vector<int32_t> queries = inspect::ReadGroups(
      reader.Read(alike ? options.groups : options.query_groups),
      shape.query_len, "queries");
  std::vector<int32_t> keys = inspect::ReadGroups(
      reader.Read(alike ? options.groups : options.key_groups), shape.kv_len,
      "keys");
  inspect::Labels labels;
  if (!options.group_labels.empty()) {
    labels.keys = inspect::ReadLabels(options.group_labels,
                                      inspect::CountGroups(keys), "groups");
    labels.queries = labels.keys;
  }
  return inspect::GroupMaps(std::move(queries), std::move(keys), labels);
}

std::unique_ptr<inspect::Maps> MakeMaps(const Options& options,
                                        const inspect::SequenceShape& shape,
                                        const inspect::Labels& labels,
                                        inspect::ArrayReader& reader) {
  if (options.maps.empty()) return nullptr;
  if (!options.groups.empty() || !options.query_groups.empty())
    return MakeGroupMaps(options, shape, reader);
  if (inspect::CanBeWhole(shape)) return inspect::WholeMaps(shape, labels);
  // Pictures on paper cannot be looked into.
  const std::string extension = std::filesystem::path(options.maps).extension();
  const bool finer = extension == ".html" || extension == ".json";
  return inspect::RunMaps(shape, labels, finer);
}

std::vector<int64_t> EntriesOf(const Options& options, int64_t batch) {
  // More panels than this nobody looks through.
  constexpr int64_t kMostPanels = 16;
  std::vector<int64_t> entries;
  if (options.batch_item) {
    if (*options.batch_item >= batch) {
      throw UsageError(
          fmt::format("--batch-item {}: there are {}, counted from 0",
                      *options.batch_item, batch));
    }
    return {*options.batch_item};
  }
  if (batch > kMostPanels && !options.maps.empty()) {
    throw UsageError(fmt::format(
        "--maps shows {} batch entries at most, and there are {}: choose one "
        "with --batch-item",
        kMostPanels, batch));
  }
  for (int64_t entry = 0; entry < batch; ++entry) entries.push_back(entry);
  return entries;
}

Task MakeTask(const Options& options) {
  inspect::ArrayReader reader;
  Task task{.inputs = ReadInputs(options, reader),
            .shape = {},
            .labels = {},
            .queries = {},
            .entries = {},
            .maps = nullptr};
  task.shape = {.query_len = task.inputs.query_len(),
                .kv_len = task.inputs.kv_len(),
                .self_attention = IsSelfAttention(options, task.inputs),
                .key_beside = task.inputs.KeyBeside()};
  task.labels = ReadLabels(options, task.shape);
  task.queries =
      NumbersOfList("--queries", options.queries, task.shape.query_len);
  task.entries = EntriesOf(options, task.inputs.batch());
  task.maps = MakeMaps(options, task.shape, task.labels, reader);
  return task;
}

Entry LookAt(const Task& task, int64_t number, const Options& options) {
  inspect::InspectionRequest request;
  request.num_threads = options.threads;
  if (!task.queries.empty())
    request.top_keys = std::min(options.top, task.shape.kv_len);
  if (task.maps != nullptr) task.maps->AddTo(request);
  Entry entry;
  entry.number = number;
  entry.statistics = inspect::InspectEntry(task.inputs, number, request);
  entry.heads = inspect::Summarize(entry.statistics, task.shape, options.top);
  return entry;
}

// --- What is said ---

std::string MaskText(const Options& options) {
  if (options.causal) return "causal";
  return options.mask.empty() ? "none" : options.mask;
}

std::vector<std::string> NotesOf(const Task& task, const Options& options) {
  const inspect::AttentionSources& sources = task.inputs.sources();
  return {"queries " + inspect::Describe(sources.query),
          "keys " + inspect::Describe(sources.key),
          fmt::format("mask {}, scale {:.6g}", MaskText(options),
                      task.inputs.scale())};
}

std::string TableOf(const Task& task, const Entry& entry) {
  inspect::HeadTableTitles titles;
  titles.remark = "heaviest keys";
  titles.self_attention = task.shape.self_attention;
  std::vector<inspect::HeadLine> lines;
  for (const inspect::HeadSummary& head : entry.heads) {
    lines.push_back({{std::to_string(lines.size() + 1)},
                     head.statistics,
                     head.kind,
                     inspect::KeysText(head.heaviest_keys, task.labels.keys)});
  }
  return inspect::HeadTable(titles, lines);
}

std::string QueryText(const Task& task, const Entry& entry, int64_t query,
                      int64_t top) {
  std::string text = fmt::format("\nquery {}", query);
  if (!task.labels.queries.empty()) {
    const auto number = static_cast<std::size_t>(query);
    text += fmt::format(" '{}'", PrintableText(task.labels.queries[number]));
  }
  text += "\n";
  for (std::size_t head = 0; head < entry.heads.size(); ++head) {
    const std::size_t row =
        head * static_cast<std::size_t>(task.shape.query_len) +
        static_cast<std::size_t>(query);
    text += fmt::format(
        "  head {:<3} entropy {:5.2f}   {}\n", head + 1,
        entry.statistics.entropy[row],
        inspect::KeysText(inspect::HeaviestKeysOf(entry.statistics, row, top),
                          task.labels.keys));
  }
  return text;
}

void PrintText(const Task& task, const Entry& entry, const Options& options) {
  const bool first = entry.number == task.entries.front();
  if (first) {
    for (const std::string& note : NotesOf(task, options))
      std::cout << note << '\n';
  }
  if (task.inputs.batch() > 1)
    std::cout << fmt::format("\nbatch entry {}\n", entry.number);
  std::cout << (task.inputs.batch() > 1 ? "" : "\n") << TableOf(task, entry);
  for (const int64_t query : task.queries)
    std::cout << QueryText(task, entry, query, options.top);
}

ordered_json ArrayJson(const inspect::Array& array) {
  return {{"file", array.place},
          {"type", inspect::NameOfType(array.type)},
          {"shape", array.shape}};
}

ordered_json InputsJson(const Task& task, const Options& options) {
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

// Many queries are many numbers: each is a line, written as it is made.
void PrintJson(const Task& task, const Entry& entry, const Options& options) {
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

render::AttentionPanel PanelOf(const Task& task, const Entry& entry) {
  render::AttentionPanel panel =
      inspect::PanelOf(entry.statistics, entry.heads, task.shape, *task.maps);
  if (task.inputs.batch() > 1)
    panel.name = fmt::format("batch entry {}", entry.number);
  return panel;
}

void Inspect(const Options& options) {
  CheckOptions(options);
  const Task task = MakeTask(options);
  render::AttentionReport report;
  report.title = options.query + ", " + options.key;
  report.notes = NotesOf(task, options);
  for (const int64_t number : task.entries) {
    const Entry entry = LookAt(task, number, options);
    options.json ? PrintJson(task, entry, options)
                 : PrintText(task, entry, options);
    if (task.maps != nullptr) report.panels.push_back(PanelOf(task, entry));
  }
  if (task.maps != nullptr) render::WriteAttentionReport(report, options.maps);
}

void AddInputOptions(CLI::App& verb, Options& options) {
  verb.add_option("--query", options.query,
                  "queries [heads, len, dim] or [batch, heads, len, dim]: "
                  "FILE.npy, or a tensor as FILE.safetensors:NAME; float32, "
                  "float16 or bfloat16")
      ->required()
      ->type_name("ARRAY");
  verb.add_option("--key", options.key,
                  "keys, likewise; their heads may be fewer (grouped queries)")
      ->required()
      ->type_name("ARRAY");
  verb.add_flag("--length-first", options.length_first,
                "the axes are [batch, len, heads, dim]");
  CLI::Option* causal = verb.add_flag(
      "--causal", options.causal,
      "a query sees the keys up to its own place; fewer queries than keys are "
      "the last ones");
  verb.add_option("--mask", options.mask,
                  "booleans, True where a query may see a key: [query_len, "
                  "kv_len], [heads, ...] or [batch, heads, ...]")
      ->excludes(causal)
      ->type_name("ARRAY");
  verb.add_flag("--cross", options.cross,
                "queries and keys are different sequences, even if equally "
                "long: no distances");
  verb.add_option("--scale", options.scale,
                  "what query . key is multiplied by (default: 1/sqrt(dim))");
}

void AddOutputOptions(CLI::App& verb, Options& options) {
  verb.add_option("--labels", options.labels,
                  "a name for each place of the sequence, line by line")
      ->type_name("FILE");
  verb.add_option("--query-labels", options.query_labels,
                  "a name for each query")
      ->type_name("FILE");
  verb.add_option("--key-labels", options.key_labels, "a name for each key")
      ->type_name("FILE");
  CLI::Option* groups =
      verb.add_option("--groups", options.groups,
                      "integers, the group of each place: --maps shows groups; "
                      "-1 leaves out")
          ->type_name("ARRAY");
  verb.add_option("--query-groups", options.query_groups,
                  "the group of each query")
      ->excludes(groups)
      ->type_name("ARRAY");
  verb.add_option("--key-groups", options.key_groups, "the group of each key")
      ->excludes(groups)
      ->type_name("ARRAY");
  verb.add_option("--group-labels", options.group_labels,
                  "a name for each group, line by line")
      ->type_name("FILE");
  verb.add_option("--top", options.top, "how many of the heaviest keys to list")
      ->check(CLI::Range(int64_t{1}, int64_t{1024}))
      ->capture_default_str();
  verb.add_option("--queries", options.queries,
                  "also list the heaviest keys of these queries: 0,5,10-20 or "
                  "all")
      ->type_name("LIST");
  verb.add_option("--batch-item", options.batch_item,
                  "one entry of the batch, from 0 (default: all)")
      ->check(CLI::NonNegativeNumber);
  verb.add_option(
          "--maps", options.maps,
          "a picture of every head: a file that ends in .png, .svg, "
          ".html, .json or .npy; long sequences in runs, which the page "
          "(.html) shows in more detail")
      ->type_name("FILE");
  verb.add_flag("--json", options.json, "print JSON (docs/inspecting.md)");
  verb.add_option("--threads", options.threads, "0: all")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

}  // namespace

void AddInspectVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "inspect",
      "what the heads of any attention do, from its queries and keys");
  auto options = std::make_shared<Options>();
  AddInputOptions(*verb, *options);
  AddOutputOptions(*verb, *options);
  verb->callback([options] { Inspect(*options); });
}

}  // namespace keylens::cli
