// Any bytes as a text to split into pieces and words, by a model trained on the
// spot.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/utf8.h"
#include "src/text/sentence_piece_tokenizer.h"

namespace {

keylens::SentencePieceTokenizer Trained() {
  const auto path = std::filesystem::temp_directory_path() /
                    ("text_fuzz." + std::to_string(getpid()));
  const std::vector<std::string> sentences = {
      "a red heart", "das Mädchen läuft", "a blue star",
      "e\u0301t\u00E9 \uFB01n"};
  keylens::TrainTokenizer(sentences, {.vocab_size = 320}, path);
  keylens::SentencePieceTokenizer tokenizer =
      keylens::SentencePieceTokenizer::Load(path);
  std::filesystem::remove(path);
  return tokenizer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const keylens::SentencePieceTokenizer tokenizer = Trained();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto pieces = tokenizer.Encode(text);
  std::vector<int32_t> ids;
  std::size_t last = 0;
  for (const keylens::TextPiece& piece : pieces) {
    if (piece.begin < last || piece.end < piece.begin || piece.end > size)
      std::abort();
    last = piece.end;
    ids.push_back(piece.id);
  }
  if (!keylens::IsUtf8(tokenizer.Decode(ids))) std::abort();
  std::size_t first = 0;
  for (const keylens::TextWord& word : keylens::WordsOf(text, pieces)) {
    if (word.text.empty() || word.first_piece > word.last_piece ||
        word.last_piece > pieces.size())
      std::abort();
    if (word.first_piece + 1 < first) std::abort();
    first = word.last_piece;
  }
  return 0;
}
