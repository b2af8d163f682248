#include "systems/translator/lines/line_part.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

bool IsNumeric(ProtectedKind kind) {
  return kind == ProtectedKind::kNumber || kind == ProtectedKind::kYear ||
         kind == ProtectedKind::kClockTime;
}

// With the space that would be left over.
TextRange WithSpace(std::string_view text, TextRange range) {
  if (range.begin > 0 && text[range.begin - 1] == ' ') {
    --range.begin;
  } else if (text.substr(range.end).starts_with(' ')) {
    ++range.end;
  }
  return range;
}

// The word that a word that is left out stands beside: the one before it,
// unless punctuation is between them, or else the next one.
std::optional<PlacedMark> MarkBeside(std::string_view text,
                                     const Protected& word,
                                     const std::vector<Protected>& left_out) {
  std::optional<TextRange> before, after;
  for (const TextRange& other : TextWords(text)) {
    const bool is_left_out = std::any_of(
        left_out.begin(), left_out.end(), [&](const Protected& out) {
          return other.begin < out.range.end && out.range.begin < other.end;
        });
    if (is_left_out) continue;
    if (other.end <= word.range.begin) before = other;
    if (other.begin >= word.range.end && !after) after = other;
  }
  const bool prefers_next = word.kind == ProtectedKind::kBesideNext && after;
  if (before && !prefers_next)
    return PlacedMark{*before, "", " " + word.target};
  if (after) return PlacedMark{*after, word.target + " ", ""};
  return std::nullopt;
}

}  // namespace

bool DisguisePart(std::string_view line, const LanguageRules& rules,
                  LinePart& part) {
  auto disguised = Disguise(part.range.In(line), part.edits, part.words, rules,
                            part.attempt);
  if (!disguised) return false;
  part.source = std::move(disguised->text);
  part.stand_ins = std::move(disguised->stand_ins);
  return true;
}

bool LeaveWordsOut(std::string_view line, const LanguageRules& rules,
                   LinePart& part) {
  const std::string_view text = part.range.In(line);
  std::vector<Protected> left_out, kept;
  for (const Protected& word : part.words)
    (IsNumeric(word.kind) ? kept : left_out).push_back(word);
  if (left_out.empty()) return false;
  LinePart without = part;
  without.words = std::move(kept);
  for (const Protected& word : left_out) {
    auto mark = MarkBeside(text, word, left_out);
    if (!mark) return false;
    without.marks.push_back(*std::move(mark));
    without.edits.push_back({WithSpace(text, word.range), ""});
  }
  without.edits = SortedEdits(std::move(without.edits));
  without.attempt = 0;
  if (!DisguisePart(line, rules, without)) return false;
  if (SplitAtWhiteSpace(without.source.text()).empty()) return false;
  part = std::move(without);
  return true;
}

}  // namespace keylens::translator
