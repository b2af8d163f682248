#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PART_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PART_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/lines/stand_ins.h"
#include "systems/translator/rules/language_rules.h"
#include "systems/translator/text/edited_text.h"

namespace keylens::translator {

// What is put back around the translation of a range: quotes, a tag, a word
// that was left out.
struct PlacedMark {
  TextRange inside;  // of the part
  std::string open, close;
};

// A part of a line: text that is copied, or that the model translates at once.
// Ranges but `range` are of the part.
struct LinePart {
  TextRange range;      // of the line
  bool copied = false;  // `copy` goes into the translation as it is
  std::string copy;

  bool begins_sentence = true;
  bool capitals = false;          // the translation is put in capitals
  std::vector<TextEdit> edits;    // what the model reads in another form
  std::vector<Protected> words;   // that stand-ins take the place of
  std::vector<PlacedMark> marks;  // in the order in which they open
  int attempt = 0;                // of stand-ins: see Disguise

  // What the model gets, by DisguisePart.
  EditedText source;
  std::vector<StandIn> stand_ins;
};

// Sets what the model gets; whether there were stand-ins enough.
bool DisguisePart(std::string_view line, const LanguageRules& rules,
                  LinePart& part);

// Leaves the words of `part` out for which no stand-in works, names first of
// all, to be put back beside the translation of the word before them or behind
// them. False where they are all there is.
bool LeaveWordsOut(std::string_view line, const LanguageRules& rules,
                   LinePart& part);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PART_H_
