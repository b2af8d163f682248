#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_COMPOSER_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_COMPOSER_H_

#include "src/random/random.h"
#include "systems/translator/text/parallel_text.h"
#include "systems/translator/training/random_names.h"

namespace keylens::translator {

// Sentences of a small grammar of German and English at once, with random
// names, numbers and times in them: main clauses, subordinate ones and
// questions of up to 20 words, in the order of each language ("Am 3. Mai 2021
// hat Anna mit ihrem Bruder in Celle ein Haus gekauft."). They teach the order
// of long sentences where text is short.
class SentenceComposer {
 public:
  explicit SentenceComposer(const RandomNames& names) : names_(names) {}

  SentencePair Compose(Random& random) const;

 private:
  const RandomNames& names_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_COMPOSER_H_
