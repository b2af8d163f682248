#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CORPUS_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CORPUS_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "languages/german_english/corpus/cluster_split.h"
#include "languages/german_english/corpus/counts.h"
#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// Pairs from one place, clean and without a repetition.
struct Source {
  std::string name;  // the third column: "ding-words", "wesnoth"
  double weight = 1;
  bool everyday = false;  // from a TSV file
  std::vector<Pair> pairs;
};

struct Corpus {
  std::vector<Source> sources;
  // By what was read: "ding", "wesnoth", the stem of a TSV file.
  std::vector<std::pair<std::string, Counts>> counts;
};

struct CorpusOptions {
  std::vector<std::filesystem::path> tsv_files;
  std::vector<std::string> packages;  // KnownPackages' names
  std::filesystem::path root = "/";   // where the packages are installed
  // What will be held out should not help to choose translations: those rows
  // of TSV files are left out that this split, with twice as many lines, takes
  // out of training.
  SplitOptions split;
};

// Reads and cleans all of it. A pair that several sources have stays in the
// first: TSV files, then the packages in the order of KnownPackages.
// `progress` is told what is being read.
Corpus ReadCorpus(const CorpusOptions& options,
                  const std::function<void(const std::string&)>& progress);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CORPUS_H_
