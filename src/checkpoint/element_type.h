#ifndef KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_
#define KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace keylens {

// Element types of arrays in files: all that safetensors has. Arithmetic is
// done on those of HasFloats alone; the others are kept apart so that a file
// may hold them.
enum class ElementType {
  kFloat64,
  kFloat32,
  kFloat16,
  kBFloat16,
  kInt64,
  kInt32,
  kUInt8,
  kBool,
  kInt16,
  kInt8,
  kUInt64,
  kUInt32,
  kUInt16,
  kComplex64,
  kFloat8E5M2,
  kFloat8E4M3,
  kFloat8E8M0,
  kFloat8E4M3Fnuz,
  kFloat8E5M2Fnuz,
  kFloat6E2M3,
  kFloat6E3M2,
  kFloat4
};

// Whether ToFloat32 and CopyAsFloat read it.
bool HasFloats(ElementType type);

int64_t BitsOf(ElementType type);
int64_t SizeOf(ElementType type);  // bytes, rounded up

// As safetensors spells it: "F32", "BF16", ...
std::string_view NameOf(ElementType type);

// As numpy and torch spell it: "float32", "bfloat16", ...
std::string_view LongNameOf(ElementType type);

// The type that safetensors spells so; none for other texts.
std::optional<ElementType> TypeNamed(std::string_view name);

// The bytes of a dense array; -1 where a size is negative, the product does not
// fit int64, or elements of 4 or 6 bits do not fill the last byte.
int64_t DenseBytes(ElementType type, const std::vector<int64_t>& shape);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_ELEMENT_TYPE_H_
