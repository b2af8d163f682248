#ifndef KEYLENS_SRC_TEXT_TOKENIZER_H_
#define KEYLENS_SRC_TEXT_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
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
  // The vocabulary has no piece for this character: the piece is one of its
  // bytes, or the unknown piece.
  bool unknown = false;
};

// A word of a text (a run without white space) and the pieces [first_piece,
// last_piece) that make it up.
struct TextWord {
  std::string text;
  std::size_t first_piece = 0;
  std::size_t last_piece = 0;
};

// Splits texts into the pieces that a model reads, and joins them again. What
// reads prompts or sentences knows this interface; the kind of vocabulary
// (sentence_piece_tokenizer.h) is known where a model folder is read.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Any bytes are taken. No start or end token is added, and none is read from
  // the text. The pieces' byte ranges are in order and do not overlap.
  virtual std::vector<TextPiece> Encode(std::string_view text) const = 0;

  // The text of the pieces; start, end and padding give none. Throws Error for
  // an id that is no piece's.
  virtual std::string Decode(std::span<const int32_t> ids) const = 0;

  // Ids are -1 where the vocabulary has no such piece.
  virtual int32_t vocab_size() const = 0;
  virtual int32_t start_id() const = 0;
  virtual int32_t end_id() const = 0;
  virtual int32_t pad_id() const = 0;
  virtual int32_t unknown_id() const = 0;
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
