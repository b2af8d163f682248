#ifndef KEYLENS_SRC_CHECKPOINT_SAFETENSORS_HEADER_H_
#define KEYLENS_SRC_CHECKPOINT_SAFETENSORS_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/checkpoint/element_type.h"

namespace keylens {

inline constexpr int64_t kMaxHeaderBytes = 100'000'000;  // the format's own
inline constexpr std::string_view kMetadataKey = "__metadata__";

// What the header says of one tensor; begin and end count from the first byte
// of the data.
struct TensorEntry {
  std::string name;
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  int64_t begin = 0;
  int64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  // as the header lists them
  std::map<std::string, std::string> metadata;
};

// The header's JSON. Takes memory in proportion to its length, whatever it
// holds. Throws Error, starting with `file`. Offsets are not yet compared with
// shapes or with each other.
SafetensorsHeader ParseHeader(std::string_view json, const std::string& file);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_SAFETENSORS_HEADER_H_
