#ifndef KEYLENS_SRC_TEXT_TOKENIZER_H_
#define KEYLENS_SRC_TEXT_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// One subword of a text and the bytes [begin, end) of the text that it stands
// for.
struct TextPiece {
  int32_t id = 0;
  std::string text;  // as the model spells it, with U+2581 for a space
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A word of a text (a run without white space) and the pieces [first_piece,
// last_piece) that make it up.
struct TextWord {
  std::string text;
  std::size_t first_piece = 0;
  std::size_t last_piece = 0;
};

// A SentencePiece model: pieces, ids, and their places in the text.
class Tokenizer {
 public:
  // Throws Error, naming the file, when it is no SentencePiece model.
  static Tokenizer Load(const std::filesystem::path& path);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Any bytes are taken; what is not UTF-8 becomes U+FFFD. No start or end
  // token is added.
  std::vector<TextPiece> Encode(std::string_view text) const;
  std::string Decode(std::span<const int32_t> ids) const;

  int32_t vocab_size() const;
  int32_t start_id() const;
  int32_t end_id() const;
  int32_t pad_id() const;
  int32_t unknown_id() const;

 private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The words of `text`, each with the pieces that cover it.
std::vector<TextWord> WordsOf(std::string_view text,
                              std::span<const TextPiece> pieces);

struct TokenizerTraining {
  int32_t vocab_size = 2000;
  bool lowercase = false;  // fold case before splitting
  bool byte_fallback =
      true;  // spell characters never seen in bytes, so that nothing is unknown
};

// Trains a unigram model on `sentences` and writes it to `path`, atomically.
// The same sentences give the same bytes. Ids: 0 padding, 1 unknown, 2 start, 3
// end.
void TrainTokenizer(std::span<const std::string> sentences,
                    const TokenizerTraining& training,
                    const std::filesystem::path& path);

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_TOKENIZER_H_
