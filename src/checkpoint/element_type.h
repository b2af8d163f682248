#ifndef KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_
#define KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace keylens {

// Element types of arrays in files that are read and written here.
enum class ElementType {
  kFloat64,
  kFloat32,
  kFloat16,
  kBFloat16,
  kInt64,
  kInt32,
  kUInt8,
  kBool
};

int64_t SizeOf(ElementType type);  // bytes

// As safetensors spells it: "F32", "BF16", ...
std::string_view NameOf(ElementType type);

// The bytes of a dense array; -1 where a size is negative or the product does
// not fit int64.
int64_t DenseBytes(ElementType type, const std::vector<int64_t>& shape);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_
