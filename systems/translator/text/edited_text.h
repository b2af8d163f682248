#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_EDITED_TEXT_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_EDITED_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::translator {

// What stands in the place of a range of a text; an empty range: what is
// inserted there.
struct TextEdit {
  TextRange range;
  std::string text;
};

// In the order of their ranges; of edits that overlap, the first given stays.
std::vector<TextEdit> SortedEdits(std::vector<TextEdit> edits);

// A text made from another by edits, and what became of each place.
class EditedText {
 public:
  EditedText() = default;
  // `edits`: sorted, without overlap, within `original`.
  EditedText(std::string_view original, const std::vector<TextEdit>& edits);

  const std::string& text() const { return text_; }

  // Where a range of one text lies in the other. A range that touches what was
  // replaced takes in all of it.
  TextRange InOriginal(TextRange range) const;
  TextRange InEdited(TextRange range) const;

 private:
  struct Replaced {
    TextRange original, edited;
  };

  std::string text_;
  std::vector<Replaced> replaced_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_EDITED_TEXT_H_
