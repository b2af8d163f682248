#ifndef KEYLENS_SRC_TEXT_SUBWORD_MODEL_H_
#define KEYLENS_SRC_TEXT_SUBWORD_MODEL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// U+2581, which stands for a space in pieces.
inline constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";

// As sentencepiece_model.proto numbers them.
enum class PieceType : uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6
};

struct Piece {
  std::string text;
  float score = 0;  // log probability
  PieceType type = PieceType::kNormal;
};

// How a text is brought to the form in which pieces are looked for.
struct NormalizationRules {
  std::string
      characters;  // the compiled map of characters; empty where there is none
  bool add_dummy_prefix = true;
  bool remove_extra_spaces = true;
  bool escape_spaces = true;
  bool space_is_suffix = false;
};

// What a SentencePiece model file holds of what splitting and joining need.
struct SubwordModel {
  std::vector<Piece> pieces;  // by id
  NormalizationRules rules;
  bool byte_fallback = false;
  std::string unknown_surface =
      " \xE2\x81\x87 ";  // what an unknown piece is joined as
  int32_t unknown_id = -1;
  int32_t start_id = -1;
  int32_t end_id = -1;
  int32_t pad_id = -1;
  std::vector<int32_t>
      byte_ids;  // of the 256 pieces <0x00> ..., where bytes are fallen back on
};

// Reads the file's bytes. Throws Error, starting with `name`: not such a file;
// a kind of model other than unigram; pieces that are empty, given twice or
// scored NaN; no unknown piece, or several; bytes missing.
SubwordModel ParseSubwordModel(std::string_view bytes, const std::string& name);

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_SUBWORD_MODEL_H_
