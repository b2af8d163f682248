#include "systems/translator/text/edited_text.h"

#include <algorithm>
#include <utility>

namespace keylens::translator {
namespace {

bool Overlap(TextRange a, TextRange b) {
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

std::vector<TextEdit> SortedEdits(std::vector<TextEdit> edits) {
  std::vector<TextEdit> sorted;
  for (TextEdit& edit : edits) {
    const bool overlaps =
        std::any_of(sorted.begin(), sorted.end(), [&](const TextEdit& other) {
          return Overlap(edit.range, other.range);
        });
    if (!overlaps) sorted.push_back(std::move(edit));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TextEdit& a, const TextEdit& b) {
                     return std::pair(a.range.begin, a.range.end) <
                            std::pair(b.range.begin, b.range.end);
                   });
  return sorted;
}

EditedText::EditedText(std::string_view original,
                       const std::vector<TextEdit>& edits) {
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    text_ += original.substr(at, edit.range.begin - at);
    const std::size_t begin = text_.size();
    text_ += edit.text;
    replaced_.push_back({edit.range, {begin, text_.size()}});
    at = edit.range.end;
  }
  text_ += original.substr(at);
}

// From one side to the other: what lies behind an edit is moved by as much as
// it made the text longer.
TextRange EditedText::InOriginal(TextRange range) const {
  TextRange found = range;
  for (const Replaced& edit : replaced_) {
    if (edit.edited.end <= range.begin) {
      found.begin = edit.original.end + (range.begin - edit.edited.end);
      found.end = found.begin;
    }
    if (edit.edited.end <= range.end)
      found.end = edit.original.end + (range.end - edit.edited.end);
    if (Overlap(edit.edited, range)) {
      if (range.begin >= edit.edited.begin) found.begin = edit.original.begin;
      if (range.end <= edit.edited.end) found.end = edit.original.end;
    }
  }
  return found;
}

TextRange EditedText::InEdited(TextRange range) const {
  EditedText turned;
  for (const Replaced& edit : replaced_)
    turned.replaced_.push_back({edit.edited, edit.original});
  return turned.InOriginal(range);
}

}  // namespace keylens::translator
