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

// A token as the model reads it.
struct PromptToken {
  TextPiece piece;       // where it is of the text, with its place there
  bool special = false;  // start or end: of no text
};

// A prompt as tokens: those of the text, within what the model wants around
// them (a start and an end token, where its vocabulary has them).
struct TokenizedPrompt {
  std::string text;  // as it was given
  std::vector<PromptToken> tokens;
  std::size_t read_bytes = 0;  // of the text; less where it was cut

  bool cut() const { return read_bytes < text.size(); }
  std::string_view read_text() const {
    return std::string_view(text).substr(0, read_bytes);
  }
};

// At most max_tokens tokens; what does not fit is cut off.
TokenizedPrompt TokenizePrompt(const Tokenizer& tokenizer,
                               std::string_view text, int64_t max_tokens);

// The pieces of a prompt's text, and which token each is.
struct PromptPieces {
  std::vector<TextPiece> pieces;
  std::vector<std::size_t> tokens;
};
PromptPieces PiecesOf(const TokenizedPrompt& prompt);

// The words, as far as they were read, that the vocabulary does not know: with
// a character that it lacks, or spelt out letter by letter. What a model makes
// of them is chance.
std::vector<std::string> UnknownWords(const TokenizedPrompt& prompt);

// Prompts side by side, padded to the longest.
TokenBatch MakeTokenBatch(std::span<const TokenizedPrompt> prompts,
                          int32_t pad_id);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PROMPT_H_
