#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_SENTENCE_PLAN_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_SENTENCE_PLAN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"
#include "systems/translator/lines/line_part.h"
#include "systems/translator/lines/marks.h"
#include "systems/translator/lines/protected_words.h"

namespace keylens::translator {

// A range without the white space at its ends.
TextRange Trimmed(std::string_view line, TextRange range);

LinePart CopiedPart(TextRange range, std::string copy);

// The translation of a text in which numbers and `words` are all there is.
std::optional<std::string> WithoutModel(std::string_view text,
                                        const std::vector<Protected>& words,
                                        const LanguageRules& rules);

// What planning a sentence asks.
struct PlanTools {
  const Tokenizer& tokenizer;
  const LanguageRules& rules;
  KnowsCharacter knows;
  std::size_t max_pieces = 0;  // of a part that the model translates
};

// One sentence as parts. What encloses it, or a quotation in it, is cut off and
// its inside translated by itself; so are symbols. Marks around single words
// are taken out and placed anew in the translation. Words to carry over take
// stand-ins.
class SentencePlan {
 public:
  SentencePlan(const PlanTools& tools, std::string_view line,
               TextRange sentence);

  // In order. A part whose source stays empty has more words than stand-ins: it
  // must be planned around them.
  std::vector<LinePart> Parts();

 private:
  void FindWords(std::string_view masked);
  void FindEdits(std::string_view masked);

  // Ranges are of the sentence.
  void Add(TextRange range, bool begins);
  bool AddEnclosed(TextRange range, bool begins);
  bool AddWithoutEdge(TextRange range, bool begins);
  bool AddQuotation(TextRange range, bool begins);
  bool AddAroundCut(TextRange range, bool begins);
  void AddInPieces(TextRange range, bool begins);
  void AddPart(TextRange range, bool begins);
  void AddCopy(TextRange range, std::string copy);

  std::size_t CutPoint(TextRange range) const;
  bool IsQuotation(const MarkPair& pair, TextRange range) const;
  QuoteMarks Target(const MarkPair& pair) const;
  bool IsPaired(std::size_t at) const;
  void TakeWords(LinePart& part) const;
  void TakeMarks(TextRange range, LinePart& part) const;
  void LeaveOut(const Protected& word, LinePart& part) const;

  PlanTools tools_;
  std::size_t begin_;  // of the sentence, in the line
  std::string_view line_, text_;
  std::vector<TextRange> tags_;
  std::vector<Protected> words_;
  std::vector<MarkPair> pairs_;
  std::vector<TextEdit> edits_;
  bool capitals_ = false;
  std::vector<LinePart> parts_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_SENTENCE_PLAN_H_
