#ifndef KEYLENS_SYSTEMS_GENERATOR_PROMPT_H_
#define KEYLENS_SYSTEMS_GENERATOR_PROMPT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/keylens_unet/text_encoder.h"
#include "src/text/tokenizer.h"

namespace keylens::generator {

// A prompt as tokens: the start token, the pieces of the text, the end token.
struct TokenizedPrompt {
  std::string text;               // as it was given
  std::vector<int32_t> ids;       // start and end included
  std::vector<TextPiece> pieces;  // piece i is token i + 1
  std::size_t read_bytes = 0;     // of the text; less where it was cut
  bool cut() const { return read_bytes < text.size(); }
};

// At most max_tokens tokens; what does not fit is cut off.
TokenizedPrompt TokenizePrompt(const Tokenizer& tokenizer,
                               std::string_view text, int64_t max_tokens);

// Prompts side by side, padded to the longest.
TokenBatch MakeTokenBatch(std::span<const TokenizedPrompt> prompts,
                          int32_t pad_id);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PROMPT_H_
