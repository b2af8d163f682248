#include "app/cli/inspect/options.h"

#include <fmt/format.h>

#include "app/cli/option_checks.h"
#include "app/cli/report_option.h"
#include "src/base/error.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::cli {
namespace {

void AddInputOptions(CLI::App& verb, InspectOptions& options) {
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
                  "what query . key is multiplied by (default: 1/sqrt(dim))")
      ->check(FiniteNumber());
}

void AddOutputOptions(CLI::App& verb, InspectOptions& options) {
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
      ->check(WholeNumber(1, 1024))
      ->capture_default_str();
  verb.add_option("--queries", options.queries,
                  "also list the heaviest keys of these queries: 0,5,10-20 or "
                  "all")
      ->type_name("LIST");
  verb.add_option("--batch-item", options.batch_item,
                  "one entry of the batch, from 0 (default: all)")
      ->check(WholeNumber(0));
  verb.add_option(
          "--maps", options.maps,
          fmt::format("a picture of every head: a file that ends in {}; long "
                      "sequences in runs, which the page (.html) shows in "
                      "more detail",
                      render::kFormatsText))
      ->type_name("FILE");
  verb.add_flag("--json", options.json, "print JSON (docs/inspecting.md)");
  verb.add_option("--threads", options.threads, "0: all")
      ->check(WholeNumber(0, 1024))
      ->capture_default_str();
}

}  // namespace

void AddInspectOptions(CLI::App& verb, InspectOptions& options) {
  AddInputOptions(verb, options);
  AddOutputOptions(verb, options);
}

void CheckInspectOptions(const InspectOptions& options) {
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
  if (!options.maps.empty()) CheckReportOption("--maps", options.maps);
}

}  // namespace keylens::cli
