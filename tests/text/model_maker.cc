#include "tests/text/model_maker.h"

#include <cstring>

namespace keylens {
namespace {

std::string Varint(uint64_t value) {
  std::string bytes;
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

template <typename T>
std::string Raw(T value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

}  // namespace

std::string IntegerField(uint32_t number, uint64_t value) {
  return Varint(number << 3) + Varint(value);
}
std::string FloatField(uint32_t number, float value) {
  return Varint(number << 3 | 5) + Raw(value);
}
std::string BytesField(uint32_t number, std::string_view bytes) {
  return Varint(number << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}

std::string PieceField(std::string_view text, float score, uint64_t type) {
  return BytesField(
      1, BytesField(1, text) + FloatField(2, score) + IntegerField(3, type));
}

std::string SmallPieces() {
  return PieceField("<unk>", 0, 2) + PieceField("<s>", 0, 3) +
         PieceField("\u2581", -3) + PieceField("a", -2) +
         PieceField("b", -2.5f) + PieceField("ab", -4);
}

std::string CompiledMap(const SmallMap& map) {
  std::vector<uint32_t> units(67, 0);
  units[65] = map.unit_of_a;
  units[66] = map.leaf;
  std::string bytes = Raw(map.trie_bytes);
  for (const uint32_t unit : units) bytes += Raw(unit);
  return bytes + map.strings;
}

std::string NormalizerField(const std::string& compiled_map) {
  return BytesField(3, BytesField(2, compiled_map));
}

}  // namespace keylens
