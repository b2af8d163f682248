#ifndef KEYLENS_TESTS_TEXT_TRAINED_H_
#define KEYLENS_TESTS_TEXT_TRAINED_H_

#include <filesystem>
#include <string>
#include <vector>

#include "src/text/sentence_piece_tokenizer.h"
#include "tests/temporary_path.h"

namespace keylens {

// German and English, some 400 sentences, the same on every call.
std::vector<std::string> Sentences();

// Trained on Sentences(); once per set of options and process.
const SentencePieceTokenizer& Trained(bool lowercase, bool byte_fallback);

}  // namespace keylens

#endif  // KEYLENS_TESTS_TEXT_TRAINED_H_
