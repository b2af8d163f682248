#ifndef KEYLENS_SYSTEMS_TRANSLATOR_MODEL_TOKEN_IDS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_MODEL_TOKEN_IDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"

namespace keylens::translator {

inline std::vector<int32_t> IdsOf(const std::vector<TextPiece>& pieces) {
  std::vector<int32_t> ids;
  ids.reserve(pieces.size() + 1);
  for (const TextPiece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

// A source sentence as the encoder takes it: its pieces and the end token.
inline std::vector<int32_t> SourceIds(const Tokenizer& tokenizer,
                                      std::string_view sentence) {
  std::vector<int32_t> ids = IdsOf(tokenizer.Encode(sentence));
  ids.push_back(tokenizer.end_id());
  return ids;
}

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_MODEL_TOKEN_IDS_H_
