#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"
#include "systems/translator/lines/pass_through.h"
#include "systems/translator/text/characters.h"

namespace keylens::translator {

// A part of a line: text that is copied, or that the model translates at once.
struct LinePart {
  TextRange range;      // of the line
  bool copied = false;  // `text` goes into the translation as it is
  bool begins_sentence = true;
  std::string text;                // what the model gets, stand-ins and all
  std::vector<StandIn> stand_ins;  // ranges within the part
};

// How lines become parts: sentences first, then what must pass through them.
class LinePlanner {
 public:
  // `max_pieces`: of a part that the model translates. The tokenizer must
  // outlive the planner.
  LinePlanner(const Tokenizer& tokenizer, int64_t max_pieces);

  // The parts of a line of UTF-8, in order; what lies between them is white
  // space, or nothing. Empty for a blank line.
  std::vector<LinePart> Plan(std::string_view line);

  // The same part without stand-ins: the words they stood for are copied, and
  // what lies between them is translated by itself.
  std::vector<LinePart> PlanAround(std::string_view line, const LinePart& part);

 private:
  bool Knows(std::string_view character);
  void AddSentence(std::string_view line, TextRange sentence,
                   std::vector<LinePart>& parts);
  void AddStretch(std::string_view line, TextRange stretch,
                  bool begins_sentence, std::vector<LinePart>& parts);
  void AddWithin(std::string_view line, TextRange stretch, bool begins_sentence,
                 std::vector<LinePart>& parts);
  // The end of the longest beginning of `stretch` that is short enough.
  std::size_t CutPoint(std::string_view line, TextRange stretch) const;

  const Tokenizer& tokenizer_;
  std::size_t max_pieces_;
  KnowsCharacter knows_;
  std::map<std::string, bool, std::less<>> known_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LINE_PLAN_H_
