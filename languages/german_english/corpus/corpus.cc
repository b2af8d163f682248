#include "languages/german_english/corpus/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "languages/german_english/corpus/ding.h"
#include "languages/german_english/corpus/evidence.h"
#include "languages/german_english/corpus/packages.h"
#include "languages/german_english/corpus/pair_check.h"
#include "languages/german_english/corpus/parallel_tsv.h"
#include "languages/german_english/corpus/plain_text.h"
#include "languages/german_english/corpus/sentences.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens::german_english {
namespace {

constexpr double kEverydayWeight = 6;

// Whether the text names something rather than says it.
bool IsShortTerm(const std::string& text) {
  constexpr int kMaxSpaces = 2;
  return text.find_last_of(".!?") != text.size() - 1 &&
         std::ranges::count(text, ' ') <= kMaxSpaces;
}

class Builder {
 public:
  Builder(const CorpusOptions& options,
          const std::function<void(const std::string&)>& progress)
      : options_(options), progress_(progress) {}

  Corpus Build() {
    for (const auto& path : options_.tsv_files) AddTsv(path);
    AddEverydayEvidence();
    for (const Package& package : KnownPackages()) {
      if (IsWanted(package)) AddPackage(package);
    }
    return std::move(corpus_);
  }

 private:
  bool IsWanted(const Package& package) const {
    return std::ranges::count(options_.packages, package.source) > 0;
  }

  // A TSV file may be called as something else is.
  template <typename Entries, typename Name>
  static void RequireNew(const std::string& name, const Entries& entries,
                         Name name_of) {
    if (std::ranges::count(entries, name, name_of) == 0) return;
    throw UsageError(
        fmt::format("two sources are named {}; rename the TSV file", name));
  }

  Counts& StartCounting(const std::string& what) {
    if (progress_) progress_(what);
    RequireNew(what, corpus_.counts,
               [](const auto& entry) { return entry.first; });
    return corpus_.counts.emplace_back(what, Counts()).second;
  }

  // Whether a term, not a sentence, has had its translation from another
  // source. What people write is not held to that.
  bool IsTranslated(const Pair& pair, bool everyday) {
    if (everyday || !IsShortTerm(pair.german)) return false;
    return !terms_.insert(pair.german).second;
  }

  // Adds the pairs that are new.
  void AddSource(const std::string& name, double weight, bool everyday,
                 const std::vector<Pair>& pairs, Counts& counts) {
    RequireNew(name, corpus_.sources, &Source::name);
    Source source{name, weight, everyday, {}};
    for (const Pair& pair : pairs) {
      if (!seen_.insert(pair).second) {
        counts.Add("seen before");
      } else if (IsTranslated(pair, everyday)) {
        counts.Add("other translations of the same term");
      } else {
        source.pairs.push_back(pair);
      }
    }
    counts.Add("kept as " + name, static_cast<int64_t>(source.pairs.size()));
    corpus_.sources.push_back(std::move(source));
  }

  // The pairs as plain text, without the unfit.
  static std::vector<Pair> Clean(const std::vector<Pair>& pairs,
                                 Counts& counts) {
    std::vector<Pair> clean;
    for (const Pair& pair : pairs) {
      Pair plain{ToPlainText(pair.english), ToPlainText(pair.german)};
      if (const char* why = WhyUnfit(plain)) {
        counts.Add(why);
      } else {
        clean.push_back(std::move(plain));
      }
    }
    return clean;
  }

  // A margin, as other sources may link clusters and so change what is taken.
  void AddEverydayEvidence() {
    std::vector<Pair> rows;
    for (const Source& source : corpus_.sources) {
      rows.insert(rows.end(), source.pairs.begin(), source.pairs.end());
    }
    SplitOptions split = options_.split;
    split.test_rows *= 2;
    split.valid_rows *= 2;
    const std::vector<Part> parts = SplitByCluster(
        rows, FindClusters(rows), std::vector<bool>(rows.size(), true), split);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (parts[i] == Part::kTrain) sentences_.push_back(rows[i]);
    }
  }

  void AddPackage(const Package& package) {
    if (package.is_game) {
      AddGame(package);
    } else {
      package.source == "ding" ? AddDing(package) : AddNames(package);
    }
  }

  void AddTsv(const std::filesystem::path& path) {
    const std::string name = path.stem().string();
    Counts& counts = StartCounting(name);
    const std::vector<Pair> rows =
        ParseParallelTsv(ReadFile(path), path.string(), counts);
    AddSource(name, kEverydayWeight, true, Clean(rows, counts), counts);
  }

  void AddNames(const Package& package) {
    Counts& counts = StartCounting(std::string(package.source));
    const std::vector<Pair> names = ReadNames(options_.root);
    counts.Add("names", static_cast<int64_t>(names.size()));
    AddSource(std::string(package.source), package.weight, false,
              Clean(names, counts), counts);
  }

  void AddGame(const Package& game) {
    Counts& counts = StartCounting(std::string(game.source));
    std::vector<Pair> sentences;
    for (const Pair& message : ReadGame(options_.root, game)) {
      const std::vector<Pair> more = MessageToSentences(message, counts);
      sentences.insert(sentences.end(), more.begin(), more.end());
    }
    AddSource(std::string(game.source), game.weight, false, sentences, counts);
  }

  // Names are no sentences, but each is a sure translation: it counts as two.
  void AddEvidenceOfNames() {
    if (!IsWanted(FindPackage("cldr"))) return;
    Counts unused;
    const std::vector<Pair> names = Clean(ReadNames(options_.root), unused);
    AddEvidence(names);
    AddEvidence(names);
  }

  void AddDing(const Package& package) {
    Counts& counts = StartCounting(std::string(package.source));
    AddEvidenceOfNames();
    Ding ding = ReadDing(ReadDingFile(options_.root), counts);
    AddEvidence(ding.sentences);
    AddSource("ding-sentences", 2 * package.weight, false, ding.sentences,
              counts);
    const ChosenTerms chosen = ChooseTranslations(std::move(ding.candidates),
                                                  Evidence(sentences_), counts);
    AddSource("ding-words", 2 * package.weight, false, chosen.words, counts);
    AddSource("ding-phrases", 0.5 * package.weight, false, chosen.phrases,
              counts);
    AddSource("ding-terms", 0.1 * package.weight, false, chosen.terms, counts);
  }

  void AddEvidence(const std::vector<Pair>& pairs) {
    sentences_.insert(sentences_.end(), pairs.begin(), pairs.end());
  }

  const CorpusOptions& options_;
  const std::function<void(const std::string&)>& progress_;
  Corpus corpus_;
  std::set<Pair> seen_;
  std::set<std::string> terms_;  // German, with a translation
  std::vector<Pair> sentences_;  // evidence: no games, with their own words
};

}  // namespace

Corpus ReadCorpus(const CorpusOptions& options,
                  const std::function<void(const std::string&)>& progress) {
  return Builder(options, progress).Build();
}

}  // namespace keylens::german_english
