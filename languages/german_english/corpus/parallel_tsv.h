#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PARALLEL_TSV_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PARALLEL_TSV_H_

#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/counts.h"
#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// The rows of a file as Tatoeba's and manythings.org's are: English, a tab,
// German, and whatever follows another tab. Line ends are LF or CRLF; a
// byte-order mark and empty lines are skipped. Steps of `counts`: "read",
// "not UTF-8". Throws Error, naming `file_name` and the line, for a line
// without a tab.
std::vector<Pair> ParseParallelTsv(std::string_view text,
                                   const std::string& file_name,
                                   Counts& counts);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PARALLEL_TSV_H_
