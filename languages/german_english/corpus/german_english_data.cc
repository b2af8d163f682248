#include "languages/german_english/corpus/german_english_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "languages/german_english/corpus/packages.h"
#include "languages/german_english/corpus/plain_text.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using german_english::Corpus;
using german_english::Counts;
using german_english::Pair;
using german_english::Part;
using german_english::Source;

struct Row {
  const Pair* pair;
  const Source* source;
};
using Rows = std::vector<Row>;

struct Parts {
  Rows train, valid, test;
  Counts counts;
};

// Without a TSV file there is nothing but the packages to hold out from.
bool AnyEveryday(const Corpus& corpus) {
  return std::ranges::any_of(corpus.sources, &Source::everyday);
}

// Of a held-out cluster the rows with a German line of its own, once each.
void AddHeldOut(const Row& row, bool eligible,
                std::set<std::string>& german_keys, Rows& part,
                Counts& counts) {
  if (!eligible) {
    counts.Add("left out: like a held-out line, from another source");
  } else if (!german_keys.insert(german_english::ClusterKey(row.pair->german))
                  .second) {
    counts.Add("left out: another English for a held-out German line");
  } else {
    part.push_back(row);
  }
}

void CountClusters(const std::vector<int64_t>& clusters,
                   const german_english::SplitOptions& options,
                   Counts& counts) {
  std::vector<int64_t> sizes;
  for (const int64_t cluster : clusters) {
    const auto at = static_cast<size_t>(cluster);
    if (at >= sizes.size()) sizes.resize(at + 1);
    ++sizes[at];
  }
  counts.Add("rows", static_cast<int64_t>(clusters.size()));
  counts.Add("clusters", static_cast<int64_t>(sizes.size()));
  counts.Add("rows of the largest cluster",
             sizes.empty() ? 0 : *std::ranges::max_element(sizes));
  int64_t in_large = 0;
  for (const int64_t size : sizes) {
    if (size > options.max_cluster_rows) in_large += size;
  }
  counts.Add("rows in clusters too large to be held out", in_large);
}

Parts Split(const Corpus& corpus, const german_english::SplitOptions& options) {
  std::vector<Pair> pairs;
  std::vector<bool> eligible;
  Rows rows;
  const bool any_everyday = AnyEveryday(corpus);
  for (const Source& source : corpus.sources) {
    for (const Pair& pair : source.pairs) {
      pairs.push_back(pair);
      eligible.push_back(source.everyday || !any_everyday);
      rows.push_back({&pair, &source});
    }
  }
  const std::vector<int64_t> clusters = german_english::FindClusters(pairs);
  const std::vector<Part> part_of =
      german_english::SplitByCluster(pairs, clusters, eligible, options);
  Parts parts;
  CountClusters(clusters, options, parts.counts);
  std::set<std::string> german_keys;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (part_of[i] == Part::kTrain) {
      parts.train.push_back(rows[i]);
      continue;
    }
    Rows& part = part_of[i] == Part::kTest ? parts.test : parts.valid;
    AddHeldOut(rows[i], eligible[i], german_keys, part, parts.counts);
  }
  parts.counts.Add("train", static_cast<int64_t>(parts.train.size()));
  parts.counts.Add("valid", static_cast<int64_t>(parts.valid.size()));
  parts.counts.Add("test", static_cast<int64_t>(parts.test.size()));
  return parts;
}

void WriteTsv(const fs::path& path, const Rows& rows) {
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{}\t{}\t{}\n", row.pair->english, row.pair->german,
                        row.source->name);
  }
  WriteFileAtomically(path, text);
}

void WriteHeldOut(const fs::path& folder, const std::string& name,
                  const Rows& rows) {
  std::string english, german;
  for (const Row& row : rows) {
    english += row.pair->english + "\n";
    german += row.pair->german + "\n";
  }
  WriteTsv(folder / (name + ".tsv"), rows);
  WriteFileAtomically(folder / (name + ".en"), english);
  WriteFileAtomically(folder / (name + ".de"), german);
}

using Json = nlohmann::ordered_json;

Json ToJson(const Counts& counts) {
  Json json = Json::object();
  for (const auto& [step, count] : counts.steps()) json[step] = count;
  return json;
}

Json WeightsOf(const Corpus& corpus,
               const std::map<std::string, double>& asked) {
  Json weights = Json::object();
  for (const Source& source : corpus.sources) {
    weights[source.name] = source.weight;
  }
  for (const auto& [name, weight] : asked) {
    if (!weights.contains(name)) {
      std::string names;
      for (const Source& source : corpus.sources) {
        names += (names.empty() ? "" : ", ") + source.name;
      }
      throw UsageError(fmt::format(
          "--weights {}: there is no such source; there are {}", name, names));
    }
    weights[name] = weight;
  }
  return weights;
}

std::vector<std::pair<std::string, int64_t>> CountBySource(const Corpus& corpus,
                                                           const Rows& rows) {
  std::vector<std::pair<std::string, int64_t>> counts;
  for (const Source& source : corpus.sources) {
    counts.emplace_back(source.name,
                        std::ranges::count(rows, &source, &Row::source));
  }
  return counts;
}

std::string Readme(const Corpus& corpus, const GermanEnglishSummary& summary,
                   const Json& weights) {
  std::string text = fmt::format(
      "# German and English\n\n"
      "Written by `keylens data german-english`; docs/german-english-data.md "
      "describes it. {} pairs to train on, {} to validate with, {} to test "
      "with.\n\n"
      "| source | pairs to train on | weight |\n| --- | ---: | ---: |\n",
      summary.train, summary.valid, summary.test);
  for (const auto& [name, count] : summary.train_by_source) {
    text += fmt::format("| {} | {} | {} |\n", name, count,
                        weights[name].get<double>());
  }
  text += "\nThe text is that of:\n\n";
  for (const auto& [name, counts] : corpus.counts) {
    const auto packages = german_english::KnownPackages();
    const auto package =
        std::ranges::find(packages, name, &german_english::Package::source);
    text += package == packages.end()
                ? fmt::format("* {}: a TSV file, under its own licence\n", name)
                : fmt::format("* {}: the Debian package {} ({})\n", name,
                              package->name, package->licence);
  }
  return text;
}

}  // namespace

GermanEnglishSummary WriteGermanEnglishData(
    const fs::path& folder, const GermanEnglishOptions& options,
    const std::function<void(const std::string&)>& progress) {
  const Corpus corpus = german_english::ReadCorpus(options.corpus, progress);
  const Json weights = WeightsOf(corpus, options.weights);
  const Parts parts = Split(corpus, options.corpus.split);
  if (parts.train.empty()) {
    throw Error("there is nothing to train on; give --tsv or --sources");
  }
  GermanEnglishSummary summary{static_cast<int64_t>(parts.train.size()),
                               static_cast<int64_t>(parts.valid.size()),
                               static_cast<int64_t>(parts.test.size()),
                               CountBySource(corpus, parts.train)};

  MakeFolder(folder);
  RemoveFile(folder / "train.tsv");
  WriteHeldOut(folder, "test", parts.test);
  WriteHeldOut(folder, "valid", parts.valid);
  WriteFileAtomically(folder / "weights.json", weights.dump(2) + "\n");
  Json counts = Json::object();
  for (const auto& [name, steps] : corpus.counts) counts[name] = ToJson(steps);
  counts["parts"] = ToJson(parts.counts);
  WriteFileAtomically(folder / "counts.json", counts.dump(2) + "\n");
  WriteFileAtomically(folder / "README.md", Readme(corpus, summary, weights));
  WriteTsv(folder / "train.tsv", parts.train);
  return summary;
}

}  // namespace keylens
