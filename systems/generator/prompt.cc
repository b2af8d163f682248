#include "systems/generator/prompt.h"

#include <algorithm>

namespace keylens::generator {

TokenizedPrompt TokenizePrompt(const Tokenizer& tokenizer,
                               std::string_view text, int64_t max_tokens) {
  TokenizedPrompt prompt;
  prompt.text = text;
  prompt.pieces = tokenizer.Encode(text);
  prompt.read_bytes = text.size();
  const auto room = static_cast<std::size_t>(max_tokens - 2);
  if (prompt.pieces.size() > room) {
    prompt.pieces.resize(room);
    prompt.read_bytes = room == 0 ? 0 : prompt.pieces.back().end;
  }
  prompt.ids.push_back(tokenizer.start_id());
  for (const TextPiece& piece : prompt.pieces) prompt.ids.push_back(piece.id);
  prompt.ids.push_back(tokenizer.end_id());
  return prompt;
}

TokenBatch MakeTokenBatch(std::span<const TokenizedPrompt> prompts,
                          int32_t pad_id) {
  std::size_t len = 0;
  for (const TokenizedPrompt& prompt : prompts) {
    len = std::max(len, prompt.ids.size());
  }
  TokenBatch batch;
  batch.ids = torch::full(
      {static_cast<int64_t>(prompts.size()), static_cast<int64_t>(len)}, pad_id,
      torch::kLong);
  int64_t* row = batch.ids.data_ptr<int64_t>();
  for (const TokenizedPrompt& prompt : prompts) {
    std::copy(prompt.ids.begin(), prompt.ids.end(), row);
    batch.lengths.push_back(static_cast<int64_t>(prompt.ids.size()));
    row += len;
  }
  return batch;
}

}  // namespace keylens::generator
