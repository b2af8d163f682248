#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/lines/line_plan.h"
#include "systems/translator/search/search_options.h"
#include "systems/translator/translation.h"

namespace keylens::translator {

// One translation of a part.
struct PartText {
  std::string text;
  Hypothesis hypothesis;  // empty for text that was copied
};

// A part of a line and what became of it.
struct TranslatedPart {
  LinePart part;
  std::vector<PartText> alternatives;  // best first; at least one

  // Of the best one, for a part that was not copied.
  std::vector<int64_t> piece_words;  // the word of each piece
  std::vector<WordLink> links;       // words of the part on both sides
  double entropy_sum = 0;            // over its pieces
};

// Puts the parts of a line together, with the white space of the source between
// them. `nbest`: how many alternatives of the whole to make.
Translation JoinParts(std::string_view line,
                      const std::vector<TranslatedPart>& parts, int nbest);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_
