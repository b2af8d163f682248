#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_PARALLEL_TEXT_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_PARALLEL_TEXT_H_

#include <filesystem>
#include <string>
#include <vector>

namespace keylens::translator {

// A sentence, or a term, and its translation.
struct SentencePair {
  std::string source;  // German
  std::string target;  // English
  double weight = 1;   // how often it is drawn in one pass over the text
};

struct ParallelText {
  std::vector<SentencePair> train;
  std::vector<SentencePair> valid;  // held out
};

// Reads a folder in one of two forms:
//   train.tsv, valid.tsv   rows English TAB German TAB source, as `keylens data
//                          german-english` writes them, and weights.json,
//                          {"source": weight}; a source that it does not name,
//                          or a row without one, weighs 1
//   train.de, train.en, valid.de, valid.en   one sentence a line, side by side;
//                          val. will do for valid.
// Rows with an empty side are left out. Throws Error, naming the file and the
// line: a file that is missing, sides of different lengths, a row without a
// tab, bytes that are not UTF-8, a weight that is negative or no number,
// nothing to train on.
ParallelText ReadParallelText(const std::filesystem::path& folder);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_PARALLEL_TEXT_H_
