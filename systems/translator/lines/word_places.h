#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_WORD_PLACES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_WORD_PLACES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "systems/translator/lines/line_parts.h"

// From words of what the model read and wrote to those of the line and of its
// translation. Words are split at white space and counted from 0.

namespace keylens::translator {

// `words`: for each piece, its word of what was written; the same of the text
// with its edits.
std::vector<int64_t> WordsInText(const PartText& text,
                                 const std::vector<int64_t>& words);

// `links` between what the model read and wrote: between the line and the
// part's best text. Where several words gave way to one, all of them are
// linked.
std::vector<WordLink> LinksInLine(std::string_view line,
                                  const TranslatedPart& part,
                                  const std::vector<WordLink>& links);

// Of a part that was copied: word by word.
std::vector<WordLink> LinksOfCopy(std::string_view line,
                                  const TranslatedPart& part);

// What puts the marks of a part around those words of `written` that `links`
// say their inside became; around everything, where they say nothing.
std::vector<TextEdit> MarkEdits(const LinePart& part, std::string_view written,
                                const std::vector<WordLink>& links);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_WORD_PLACES_H_
