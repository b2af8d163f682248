#include "systems/translator/text/parallel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/text_encoding.h"
#include "src/base/utf8.h"
#include "src/checkpoint/json_mistake.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Utf8LinesOf(const fs::path& path) {
  const std::string text = DecodedText(ReadFile(path));
  if (!IsUtf8(text)) throw Error(path.string() + ": is not UTF-8");
  return LinesOf(text);
}

using Weights = std::map<std::string, double, std::less<>>;

Weights ReadWeights(const fs::path& path) {
  Weights weights;
  if (!fs::exists(path)) return weights;
  try {
    const auto json = nlohmann::json::parse(ReadFile(path));
    for (const auto& [source, weight] : json.items()) {
      weights[source] = weight.get<double>();
      if (!(weights[source] >= 0 && weights[source] <= 1000)) {
        throw Error(fmt::format("{}: the weight of {} must be from 0 to 1000",
                                path.string(), source));
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(path.string() + ": " + JsonMistake(error));
  }
  return weights;
}

void Append(SentencePair pair, std::vector<SentencePair>& pairs) {
  if (!pair.source.empty() && !pair.target.empty()) {
    pairs.push_back(std::move(pair));
  }
}

std::vector<SentencePair> ReadRows(const fs::path& path,
                                   const Weights& weights) {
  std::vector<SentencePair> pairs;
  int64_t number = 0;
  for (const std::string& line : Utf8LinesOf(path)) {
    ++number;
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      throw Error(fmt::format("{}: line {} has no tab between its two sides",
                              path.string(), number));
    }
    const std::size_t german_end =
        std::min(line.find('\t', tab + 1), line.size());
    const auto weight = weights.find(
        std::string_view(line).substr(std::min(german_end + 1, line.size())));
    Append({line.substr(tab + 1, german_end - tab - 1), line.substr(0, tab),
            weight == weights.end() ? 1 : weight->second},
           pairs);
  }
  return pairs;
}

std::vector<SentencePair> ReadTwoFiles(const fs::path& folder,
                                       const std::string& name) {
  const fs::path german = folder / (name + ".de");
  const fs::path english = folder / (name + ".en");
  std::vector<std::string> sources = Utf8LinesOf(german);
  std::vector<std::string> targets = Utf8LinesOf(english);
  if (sources.size() != targets.size()) {
    throw Error(fmt::format(
        "{} has {} lines and {} has {}; they must be side "
        "by side",
        german.string(), sources.size(), english.string(), targets.size()));
  }
  std::vector<SentencePair> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Append({std::move(sources[i]), std::move(targets[i])}, pairs);
  }
  return pairs;
}

}  // namespace

ParallelText ReadParallelText(const fs::path& folder) {
  ParallelText text;
  if (fs::exists(folder / "train.tsv")) {
    const Weights weights = ReadWeights(folder / "weights.json");
    text = {ReadRows(folder / "train.tsv", weights),
            ReadRows(folder / "valid.tsv", weights)};
  } else if (fs::exists(folder / "train.de")) {
    const bool is_short = fs::exists(folder / "val.de");
    text = {ReadTwoFiles(folder, "train"),
            ReadTwoFiles(folder, is_short ? "val" : "valid")};
  } else {
    throw Error(folder.string() +
                ": holds neither train.tsv nor train.de and train.en");
  }
  if (text.train.empty()) {
    throw Error(folder.string() + ": holds no sentence to train on");
  }
  return text;
}

}  // namespace keylens::translator
