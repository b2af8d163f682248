#include "app/cli/inspect/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/cli/number_list.h"
#include "src/base/error.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::cli {
namespace {

inspect::AttentionInputsOfFiles ReadInputs(const InspectOptions& options,
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
bool IsSelfAttention(const InspectOptions& options,
                     const inspect::AttentionInputsOfFiles& inputs) {
  return !options.cross &&
         (options.causal || inputs.query_len() == inputs.kv_len());
}

inspect::Labels ReadLabels(const InspectOptions& options,
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
    const InspectOptions& options, const inspect::SequenceShape& shape,
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

std::unique_ptr<inspect::Maps> MakeMaps(const InspectOptions& options,
                                        const inspect::SequenceShape& shape,
                                        const inspect::Labels& labels,
                                        inspect::ArrayReader& reader) {
  if (options.maps.empty()) return nullptr;
  if (!options.groups.empty() || !options.query_groups.empty())
    return MakeGroupMaps(options, shape, reader);
  if (inspect::CanBeWhole(shape)) return inspect::WholeMaps(shape, labels);
  // Pictures on paper cannot be looked into.
  const render::ReportTraits traits = render::TraitsOf(options.maps);
  const bool finer = !traits.picture && !traits.arrays;
  return inspect::RunMaps(shape, labels, finer);
}

std::vector<int64_t> EntriesOf(const InspectOptions& options, int64_t batch) {
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

}  // namespace

InspectTask MakeInspectTask(const InspectOptions& options) {
  inspect::ArrayReader reader;
  InspectTask task{.inputs = ReadInputs(options, reader),
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

InspectedEntry LookAt(const InspectTask& task, int64_t number,
                      const InspectOptions& options) {
  inspect::InspectionRequest request;
  request.num_threads = options.threads;
  if (!task.queries.empty())
    request.top_keys = std::min(options.top, task.shape.kv_len);
  if (task.maps != nullptr) task.maps->AddTo(request);
  InspectedEntry entry;
  entry.number = number;
  entry.statistics = inspect::InspectEntry(task.inputs, number, request);
  entry.heads = inspect::Summarize(entry.statistics, task.shape, options.top);
  return entry;
}

}  // namespace keylens::cli
