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
  // Takes the bytes of such a file; errors start with `name`.
  static Tokenizer Parse(std::string_view bytes, const std::string& name);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Any bytes are taken; each that is not UTF-8 is read as U+FFFD (which the
  // models trained here read as a space). No start or end token is added, and
  // none is read from the text. The pieces' byte ranges are in order and do not
  // overlap. Where one character makes several pieces (bytes, or a ligature
  // that normalisation takes apart), the last of them has its range and those
  // before it are empty, as is the space that a text is made to begin with.
  std::vector<TextPiece> Encode(std::string_view text) const;

  // One of all ways to split the text, drawn by `seed`: subword regularization
  // (Kudo 2018) for training. A way is as likely as its score to the power of
  // `sharpness`: 0.1 varies much, 1 little.
  std::vector<TextPiece> EncodeSampled(std::string_view text, double sharpness,
                                       uint64_t seed) const;

  // The text of the pieces; start, end and padding give none. Throws Error for
  // an id that is no piece's.
  std::string Decode(std::span<const int32_t> ids) const;

  // Ids are -1 where the model has no such piece.
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

// The words of `text`, each with the pieces that cover it; `pieces` are what
// Encode made of the same text. A piece that begins in the space before a word
// belongs to that word. A word that normalisation leaves nothing of has none.
std::vector<TextWord> WordsOf(std::string_view text,
                              std::span<const TextPiece> pieces);

struct TokenizerTraining {
  // The most pieces, 1 to 262,144; sentences that give fewer get fewer. It must
  // hold the four ids below, 256 bytes where byte_fallback is set, and the
  // characters of the sentences.
  int32_t vocab_size = 2000;
  // Fold case before splitting.
  bool lowercase = false;
  // Spell characters never seen in bytes, so that nothing is unknown.
  bool byte_fallback = true;
};

// Trains a unigram model on `sentences` and writes it to `path`, atomically.
// The same sentences give the same bytes. Ids: 0 padding, 1 unknown, 2 start, 3
// end.
//
// Text is normalised by SentencePiece's nmt_nfkc (nmt_nfkc_cf where case is
// folded): Unicode's NFKC, white space and U+FFFD to single spaces, control
// characters dropped. The model keeps the way back, so that ranges are those of
// the text as it was given.
//
// Throws Error, naming `path`: no sentence with text, a vocabulary too small
// for the characters (the message says how many it needs) or out of range, more
// than 1 GiB of sentences, a file that cannot be written. Sentences over 64 KiB
// are left out.
void TrainTokenizer(std::span<const std::string> sentences,
                    const TokenizerTraining& training,
                    const std::filesystem::path& path);

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_TOKENIZER_H_
