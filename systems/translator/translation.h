#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "systems/translator/looking/alignment.h"
#include "systems/translator/search/search_options.h"
#include "systems/translator/text/edited_text.h"

// What goes into a translation and what comes out of it.

namespace keylens::translator {

struct TranslateSettings {
  SearchOptions search;
  int threads = 0;         // 0: one for each core
  bool alignment = false;  // takes a second look at each translation
  bool rules = true;       // what is known of the languages, beyond the model
};

// A word of a translation and the geometric mean of the probabilities of its
// pieces: 1 for a word that was copied.
struct TranslatedWord {
  std::string text;
  double confidence = 1;
};

// One of the best translations of a line.
struct Alternative {
  std::string text;
  double log_prob = 0;  // natural logarithm
  double score = 0;     // with the length penalty: what they are ordered by
};

// What the model was given, a sentence or a part of one, and what it wrote.
struct ModelCall {
  EditedText source;         // of the part of the line that it stands for
  std::string original;      // that part
  std::vector<int32_t> ids;  // pieces, without the end token
  EditedText text;           // of what the pieces spell: what became of it
};

struct Translation {
  std::string source;  // the line in its normal form, bytes that are not UTF-8
                       // as U+FFFD
  std::string text;
  double log_prob = 0, score = 0;
  double confidence = 1;              // as of a word, over all pieces
  std::vector<TranslatedWord> words;  // of `text`, split at white space

  // Where settings.alignment asks for them.
  std::vector<WordLink> alignment;  // words of `source` and of `text`
  double alignment_entropy = 0;     // nats, the mean over pieces of the weights
                                    // that alignments are read from

  std::vector<Alternative> nbest;  // the first is `text`
  std::vector<ModelCall> calls;    // that `text` was made of, in order
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_H_
