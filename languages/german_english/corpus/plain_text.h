#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PLAIN_TEXT_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PLAIN_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace keylens::german_english {

// The form in which text stands in the data set: NFC; spaces of every kind
// (line ends too) as one U+0020, none at the ends or before a comma; quotes of
// every kind as ' and ", the ellipsis as three dots; no soft hyphens or
// zero-width characters. Bytes that are not UTF-8 become U+FFFD.
std::string ToPlainText(std::string_view text);

// The letters and digits of the text, casefolded: texts that differ in case,
// punctuation and spacing alone have the same key. Empty where there are none.
std::string ClusterKey(std::string_view text);

// The words of a valid text: stretches of letters, digits and apostrophes.
std::vector<std::string> Words(std::string_view text);

// The same, casefolded.
std::vector<std::string> FoldedWords(std::string_view text);

// `text` at each `separator`, the parts trimmed of spaces.
std::vector<std::string> SplitAndTrim(std::string_view text,
                                      std::string_view separator);

std::string_view Trimmed(std::string_view text);

// All of `from` replaced.
std::string ReplaceAll(std::string text, std::string_view from,
                       std::string_view to);

// Characters, not bytes, of valid UTF-8.
int CountCharacters(std::string_view text);

// Whether the first character is an uppercase letter.
bool StartsUppercase(std::string_view text);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PLAIN_TEXT_H_
