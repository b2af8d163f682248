#include "systems/generator/prompt.h"

#include <algorithm>
#include <utility>

#include "src/base/utf8.h"

namespace keylens::generator {
namespace {

constexpr const char* kStart = "<start>";
constexpr const char* kEnd = "<end>";

PromptToken Special(int32_t id, const char* text, std::size_t place) {
  return {.piece = {id, text, place, place}, .special = true};
}

// Letters that a piece stands for, without the space that it may begin with.
std::size_t LettersOf(const TextPiece& piece) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < piece.text.size(); ++letters)
    at += DecodeUtf8(piece.text, at).length;
  return letters - (piece.text.starts_with("\xE2\x96\x81") ? 1 : 0);
}

bool IsUnknown(std::span<const TextPiece> pieces) {
  constexpr std::size_t kShortestSpelling = 3;  // "ok", "uk": as they come
  if (std::ranges::any_of(pieces, &TextPiece::unknown)) return true;
  std::size_t letters = 0, longest = 0;
  for (const TextPiece& piece : pieces) {
    letters += LettersOf(piece);
    longest = std::max(longest, LettersOf(piece));
  }
  return letters >= kShortestSpelling && longest <= 1;
}

}  // namespace

TokenizedPrompt TokenizePrompt(const Tokenizer& tokenizer,
                               std::string_view text, int64_t max_tokens) {
  TokenizedPrompt prompt;
  prompt.text = text;
  std::vector<TextPiece> pieces = tokenizer.Encode(text);
  prompt.read_bytes = text.size();
  const bool start = tokenizer.start_id() >= 0, end = tokenizer.end_id() >= 0;
  const auto room = static_cast<std::size_t>(
      std::max<int64_t>(0, max_tokens - (start ? 1 : 0) - (end ? 1 : 0)));
  if (pieces.size() > room) {
    pieces.resize(room);
    prompt.read_bytes = room == 0 ? 0 : pieces.back().end;
  }
  if (start) prompt.tokens.push_back(Special(tokenizer.start_id(), kStart, 0));
  for (TextPiece& piece : pieces)
    prompt.tokens.push_back({std::move(piece), false});
  if (end)
    prompt.tokens.push_back(
        Special(tokenizer.end_id(), kEnd, prompt.read_bytes));
  return prompt;
}

PromptPieces PiecesOf(const TokenizedPrompt& prompt) {
  PromptPieces text;
  for (std::size_t i = 0; i < prompt.tokens.size(); ++i) {
    if (prompt.tokens[i].special) continue;
    text.pieces.push_back(prompt.tokens[i].piece);
    text.tokens.push_back(i);
  }
  return text;
}

std::vector<std::string> UnknownWords(const TokenizedPrompt& prompt) {
  const PromptPieces text = PiecesOf(prompt);
  const std::span<const TextPiece> pieces = text.pieces;
  std::vector<std::string> unknown;
  for (const TextWord& word : WordsOf(prompt.read_text(), pieces)) {
    if (IsUnknown(pieces.subspan(word.first_piece,
                                 word.last_piece - word.first_piece)))
      unknown.push_back(word.text);
  }
  return unknown;
}

TokenBatch MakeTokenBatch(std::span<const TokenizedPrompt> prompts,
                          int32_t pad_id) {
  std::size_t len = 0;
  for (const TokenizedPrompt& prompt : prompts) {
    len = std::max(len, prompt.tokens.size());
  }
  TokenBatch batch;
  batch.ids = torch::full(
      {static_cast<int64_t>(prompts.size()), static_cast<int64_t>(len)}, pad_id,
      torch::kLong);
  int64_t* row = batch.ids.data_ptr<int64_t>();
  for (const TokenizedPrompt& prompt : prompts) {
    for (std::size_t i = 0; i < prompt.tokens.size(); ++i)
      row[i] = prompt.tokens[i].piece.id;
    batch.lengths.push_back(static_cast<int64_t>(prompt.tokens.size()));
    row += len;
  }
  return batch;
}

}  // namespace keylens::generator
