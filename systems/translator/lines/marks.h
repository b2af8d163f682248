#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_MARKS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_MARKS_H_

#include <span>
#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

// Marks that enclose a part of a text: quotes, brackets, Markdown's emphasis
// and links, HTML's tags.

namespace keylens::translator {

enum class MarkKind { kQuote, kBracket, kMarkup };

// Two marks; pairs lie beside or within one another.
struct MarkPair {
  MarkKind kind = MarkKind::kQuote;
  TextRange open, close;

  TextRange Inside() const { return {open.end, close.begin}; }
  TextRange Whole() const { return {open.begin, close.end}; }
};

// HTML's tags, and what stands around the text of Markdown's links, in order.
std::vector<TextRange> FindTags(std::string_view text);

// In the order in which they open; `tags`: as FindTags gives them, `words`: in
// which no mark counts. A straight quote or apostrophe opens behind a space and
// closes before one: "geht's" has none.
std::vector<MarkPair> FindMarks(std::string_view text,
                                std::span<const TextRange> tags,
                                std::span<const TextRange> words);

// How many bytes at the beginning of a line are no text: Markdown's headings,
// quotes, list items and boxes to tick, bullets, and the dash of a dialogue,
// with the space behind them.
std::size_t LineMarkerLength(std::string_view line);

// Whether the character is a quote, and whether it opens, or closes, quotes or
// brackets somewhere.
bool IsQuote(char32_t code);
bool MayOpen(char32_t code);
bool MayClose(char32_t code);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_MARKS_H_
