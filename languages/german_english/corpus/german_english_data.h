#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_GERMAN_ENGLISH_DATA_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_GERMAN_ENGLISH_DATA_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "languages/german_english/corpus/cluster_split.h"
#include "languages/german_english/corpus/corpus.h"

namespace keylens {

// What `keylens data german-english` is asked for.
struct GermanEnglishOptions {
  german_english::CorpusOptions corpus;
  // By source, instead of its own weight.
  std::map<std::string, double> weights;
};

struct GermanEnglishSummary {
  int64_t train = 0;
  int64_t valid = 0;
  int64_t test = 0;
  std::vector<std::pair<std::string, int64_t>> train_by_source;
};

// The files that are written, in the folder of a data set.
inline constexpr std::array<const char*, 10> kGermanEnglishFiles = {
    "train.tsv", "valid.tsv", "test.tsv",     "valid.de",    "valid.en",
    "test.de",   "test.en",   "weights.json", "counts.json", "README.md"};

// Writes the data set of German and English that the translator learns from,
// described in docs/german-english-data.md:
//
//   train.tsv, valid.tsv, test.tsv   english TAB german TAB source
//   valid.de, valid.en, test.de, test.en   the same, a line a text
//   weights.json   how often the rows of a source are drawn: {"ding-words": 1}
//   counts.json    what each step of the cleaning kept and dropped
//   README.md      where the text comes from
//
// The same options give the same bytes. Files appear whole; train.tsv is
// removed first and written last, so that a folder with it is a whole set.
// Throws Error for what cannot be read or written, UsageError for a weight of
// a source that there is not.
GermanEnglishSummary WriteGermanEnglishData(
    const std::filesystem::path& folder, const GermanEnglishOptions& options,
    const std::function<void(const std::string&)>& progress = {});

}  // namespace keylens

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_GERMAN_ENGLISH_DATA_H_
