#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/lines/line_part.h"
#include "systems/translator/rules/language_rules.h"
#include "systems/translator/search/search_options.h"
#include "systems/translator/translation.h"

namespace keylens::translator {

// One translation of a part.
struct PartText {
  std::string written;          // by the model
  std::vector<TextEdit> edits;  // words given back, marks placed
  EditedText text;              // with them
  Hypothesis hypothesis;        // empty for text that was copied
};

// Where a part stands on its way.
enum class PartState {
  kWaiting,  // for the model
  kDone,
  kLost,     // the model lost a word that has to be kept
  kGivenUp,  // and no other try will do: the part is planned around its words
};

// A part of a line and what became of it.
struct TranslatedPart {
  LinePart part;
  PartState state = PartState::kWaiting;
  std::vector<PartText> alternatives;  // best first; at least one where done

  // Of the best one, for a part that was not copied.
  std::vector<int64_t> piece_words;  // the word of each piece, in the part
  // Words of the line, and words of the part's text.
  std::vector<WordLink> links;
  double entropy_sum = 0;  // over its pieces

  // Done, if it is copied.
  static TranslatedPart From(LinePart part);
};

// Puts the parts of a line together, with the white space of the source between
// them. `nbest`: how many alternatives of the whole to make.
Translation JoinParts(std::string_view line,
                      const std::vector<TranslatedPart>& parts,
                      const LanguageRules& rules, int nbest);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PARTS_H_
