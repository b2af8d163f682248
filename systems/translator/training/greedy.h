#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_GREEDY_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_GREEDY_H_

#include <span>
#include <string>
#include <vector>

#include "src/models/keylens_translator/model.h"
#include "src/text/tokenizer.h"

namespace keylens::translator {

// What the model makes of each sentence when it takes the likeliest token every
// time: what training is watched by. A translation ends after twice the tokens
// of its source and ten more, if not before. Every step runs the decoder over
// the whole of what there is; translating for users keeps keys and values.
std::vector<std::string> TranslateGreedily(
    TranslatorModelImpl& model, const Tokenizer& tokenizer,
    std::span<const std::string> sentences);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_GREEDY_H_
