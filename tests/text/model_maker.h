#ifndef KEYLENS_TESTS_TEXT_MODEL_MAKER_H_
#define KEYLENS_TESTS_TEXT_MODEL_MAKER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keylens {

// Parts of a SentencePiece model file, put together by hand; field numbers are
// those of sentencepiece_model.proto.
std::string IntegerField(uint32_t number, uint64_t value);
std::string FloatField(uint32_t number, float value);
std::string BytesField(uint32_t number, std::string_view bytes);

// A piece, as a field of the model. Types: 1 normal, 2 unknown, 3 control, 4
// user-defined, 5 unused, 6 byte.
std::string PieceField(std::string_view text, float score, uint64_t type = 1);

// <unk>, <s>, the space symbol, "a", "b", "ab".
std::string SmallPieces();

// A compiled map of characters that turns "A" into `becomes`: the double array
// has 67 units.
struct SmallMap {
  uint32_t unit_of_a =
      0x41 | 1u << 8 |
      3u << 10;                  // at 65: label, has a leaf, which is at 65 ^ 3
  uint32_t leaf = 1u << 31;      // at 66: a place among the strings
  uint32_t trie_bytes = 67 * 4;  // as the map says
  std::string strings = std::string("a\0", 2);
};
std::string CompiledMap(const SmallMap& map);

// The normaliser's field of the model, with such a map.
std::string NormalizerField(const std::string& compiled_map);

}  // namespace keylens

#endif  // KEYLENS_TESTS_TEXT_MODEL_MAKER_H_
