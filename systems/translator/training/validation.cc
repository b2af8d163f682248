#include "systems/translator/training/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "src/base/file.h"
#include "src/train/json_lines.h"
#include "systems/translator/scores/bleu.h"
#include "systems/translator/scores/chrf.h"
#include "systems/translator/training/greedy.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

// The chrF of each sample so far; a line that was cut short is none.
std::vector<double> ReadScores(const fs::path& path) {
  std::vector<double> scores;
  if (!fs::exists(path)) return scores;
  std::istringstream lines(ReadFile(path));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("chrf") && json["chrf"].is_number()) {
      scores.push_back(json["chrf"]);
    }
  }
  return scores;
}

}  // namespace

Validation::Validation(const std::vector<SentencePair>& pairs, int64_t count,
                       const fs::path& run)
    : file_(run / "validation.jsonl") {
  const auto wanted = static_cast<std::size_t>(std::max<int64_t>(count, 0));
  std::set<std::string> seen;
  std::vector<const SentencePair*> distinct;
  for (const SentencePair& pair : pairs) {
    if (seen.insert(pair.source).second) distinct.push_back(&pair);
  }
  const std::size_t taken = std::min(wanted, distinct.size());
  for (std::size_t i = 0; i < taken; ++i) {
    const SentencePair& pair = *distinct[i * distinct.size() / taken];
    sources_.push_back(pair.source);
    references_.push_back(pair.target);
  }
}

void Validation::GoOnFrom(int64_t step) {
  if (!sources_.empty()) train::KeepLinesUpTo(file_, step);
}

Validation::Sample Validation::Write(TranslatorModelImpl& model,
                                     const Tokenizer& tokenizer,
                                     const fs::path& folder, int64_t step) {
  if (sources_.empty()) return {};
  const std::vector<std::string> translations =
      TranslateGreedily(model, tokenizer, sources_);
  const double chrf = Chrf(translations, references_);
  const double bleu = Bleu(translations, references_).bleu;
  const std::string summary =
      fmt::format("step {}: chrF {:.2f}, BLEU {:.2f}, of {}", step, chrf, bleu,
                  sources_.size());
  std::string text = summary + "\n";
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    text += fmt::format("\n{}\n  = {}\n  > {}\n", sources_[i], references_[i],
                        translations[i]);
  }
  WriteFileAtomically(folder / fmt::format("{:07}.txt", step), text);
  const std::vector<double> before = ReadScores(file_);
  const std::string lines = fs::exists(file_) ? ReadFile(file_) : "";
  const nlohmann::ordered_json line = {
      {"step", step}, {"chrf", chrf}, {"bleu", bleu}};
  WriteFileAtomically(file_, lines + line.dump() + "\n");
  return {
      before.empty() || chrf > *std::max_element(before.begin(), before.end()),
      summary};
}

int64_t Validation::SamplesSinceBest() const {
  const std::vector<double> scores = ReadScores(file_);
  if (scores.empty()) return 0;
  return scores.end() - std::max_element(scores.begin(), scores.end()) - 1;
}

}  // namespace keylens::translator
