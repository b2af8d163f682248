#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_MO_FILE_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_MO_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// The messages of a compiled GNU message catalogue (.mo), in the file's order:
// the text in the program (English) and its translation. Of a message with a
// singular and a plural form, both. The context of a message and the header are
// left out. The format is that of the manual of GNU gettext, "The Format of GNU
// MO Files", little- or big-endian, major revision 0 or 1.
//
// Throws Error, naming `file_name`, for bytes that are no such file.
std::vector<Pair> ParseMo(std::string_view bytes, const std::string& file_name);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_MO_FILE_H_
