// Any bytes as a tokenizer's model; one that is taken must split and join a
// text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/text/sentence_piece_tokenizer.h"

namespace {

void Use(const keylens::Tokenizer& tokenizer) {
  std::vector<int32_t> ids;
  std::size_t last = 0;
  constexpr std::string_view kText =
      "a red  heart \xC3\xA4\xFF \xF0\x9F\x98\x80 \xEF\xAC\x81";
  for (const keylens::TextPiece& piece : tokenizer.Encode(kText)) {
    if (piece.begin < last || piece.end < piece.begin ||
        piece.end > kText.size())
      std::abort();
    if (piece.id < 0 || piece.id >= tokenizer.vocab_size()) std::abort();
    last = piece.end;
    ids.push_back(piece.id);
  }
  tokenizer.Decode(ids);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    Use(keylens::SentencePieceTokenizer::Parse(
        {reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const keylens::Error&) {
  }
  return 0;
}
