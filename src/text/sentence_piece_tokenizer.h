#ifndef KEYLENS_SRC_TEXT_SENTENCE_PIECE_TOKENIZER_H_
#define KEYLENS_SRC_TEXT_SENTENCE_PIECE_TOKENIZER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"

namespace keylens {

// A SentencePiece model: pieces, ids, and their places in the text.
class SentencePieceTokenizer : public Tokenizer {
 public:
  // Throws Error, naming the file, when it is no SentencePiece model.
  static SentencePieceTokenizer Load(const std::filesystem::path& path);
  // Takes the bytes of such a file; errors start with `name`.
  static SentencePieceTokenizer Parse(std::string_view bytes,
                                      const std::string& name);

  SentencePieceTokenizer(SentencePieceTokenizer&&) noexcept;
  SentencePieceTokenizer& operator=(SentencePieceTokenizer&&) noexcept;
  ~SentencePieceTokenizer() override;

  // Each byte that is not UTF-8 is read as U+FFFD (which the models trained
  // here read as a space). Where one character makes several pieces (bytes, or
  // a ligature that normalisation takes apart), the last of them has its range
  // and those before it are empty, as is the space that a text is made to begin
  // with.
  std::vector<TextPiece> Encode(std::string_view text) const override;

  // One of all ways to split the text, drawn by `seed`: subword regularization
  // (Kudo 2018) for training. A way is as likely as its score to the power of
  // `sharpness`: 0.1 varies much, 1 little.
  std::vector<TextPiece> EncodeSampled(std::string_view text, double sharpness,
                                       uint64_t seed) const;

  std::string Decode(std::span<const int32_t> ids) const override;

  int32_t vocab_size() const override;
  int32_t start_id() const override;
  int32_t end_id() const override;
  int32_t pad_id() const override;
  int32_t unknown_id() const override;

 private:
  struct Impl;
  explicit SentencePieceTokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_SENTENCE_PIECE_TOKENIZER_H_
