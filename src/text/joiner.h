#ifndef KEYLENS_SRC_TEXT_JOINER_H_
#define KEYLENS_SRC_TEXT_JOINER_H_

#include <cstdint>
#include <span>
#include <string>

#include "src/text/subword_model.h"

namespace keylens {

// The text of pieces, as SentencePiece joins them; every id is one of the
// model's. The result is UTF-8 where the pieces are: bytes that make no
// character become U+FFFD.
std::string JoinPieces(const SubwordModel& model, std::span<const int32_t> ids);

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_JOINER_H_
