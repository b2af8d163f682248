#ifndef KEYLENS_SYSTEMS_TRANSLATOR_RULES_SENTENCE_SPLITTER_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_RULES_SENTENCE_SPLITTER_H_

#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::translator {

// What a language says about a point.
class PointRules {
 public:
  virtual ~PointRules() = default;
  // Whether a point after `word` need not be a full stop.
  virtual bool IsAmbiguous(std::string_view word) const = 0;
  // Whether `word` is capitalised for no other reason than to begin a sentence.
  virtual bool BeginsSentence(std::string_view word) const = 0;
};

// The sentences of a text, without the white space around them. A sentence ends
// with . ! ? or an ellipsis, and the quotes, brackets and marks of markup that
// close after it, where white space follows and then no lower-case letter;
// after an ambiguous point, only where a word follows that begins sentences.
std::vector<TextRange> SplitSentences(std::string_view text,
                                      const PointRules& rules);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_RULES_SENTENCE_SPLITTER_H_
