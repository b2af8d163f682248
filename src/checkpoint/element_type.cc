#include "src/checkpoint/element_type.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/checkpoint/safetensors.h"

namespace keylens {
namespace {

struct TypeFacts {
  std::string_view name;
  std::string_view long_name;
  int64_t bits;
};

// In the order of ElementType.
constexpr std::array<TypeFacts, 22> kTypes{{
    {"F64", "float64", 64},
    {"F32", "float32", 32},
    {"F16", "float16", 16},
    {"BF16", "bfloat16", 16},
    {"I64", "int64", 64},
    {"I32", "int32", 32},
    {"U8", "uint8", 8},
    {"BOOL", "bool", 8},
    {"I16", "int16", 16},
    {"I8", "int8", 8},
    {"U64", "uint64", 64},
    {"U32", "uint32", 32},
    {"U16", "uint16", 16},
    {"C64", "complex64", 64},
    {"F8_E5M2", "float8_e5m2", 8},
    {"F8_E4M3", "float8_e4m3fn", 8},
    {"F8_E8M0", "float8_e8m0fnu", 8},
    {"F8_E4M3FNUZ", "float8_e4m3fnuz", 8},
    {"F8_E5M2FNUZ", "float8_e5m2fnuz", 8},
    {"F6_E2M3", "float6_e2m3fn", 6},
    {"F6_E3M2", "float6_e3m2fn", 6},
    {"F4", "float4_e2m1fn", 4},
}};
static_assert(kTypes.size() ==
              static_cast<std::size_t>(ElementType::kFloat4) + 1);

const TypeFacts& FactsOf(ElementType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

template <typename T, typename Convert>
std::vector<float> Converted(std::span<const std::byte> bytes,
                             Convert convert) {
  std::vector<float> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T element;  // bytes of a file lie at any address
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = convert(element);
  }
  return values;
}

}  // namespace

bool HasFloats(ElementType type) { return type <= ElementType::kBFloat16; }

int64_t BitsOf(ElementType type) { return FactsOf(type).bits; }
int64_t SizeOf(ElementType type) { return (FactsOf(type).bits + 7) / 8; }
std::string_view NameOf(ElementType type) { return FactsOf(type).name; }
std::string_view LongNameOf(ElementType type) {
  return FactsOf(type).long_name;
}

std::optional<ElementType> TypeNamed(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

int64_t DenseBytes(ElementType type, const std::vector<int64_t>& shape) {
  const int64_t bits = BitsOf(type);
  // Whole bytes are counted, so that a product of bits cannot be too large
  // where that of bytes is not.
  int64_t units = bits < 8 ? bits : bits / 8;
  bool fits = true;
  for (const int64_t size : shape) {
    // A size of 0 after a product that does not fit is refused as well.
    fits = fits && size >= 0 && !__builtin_mul_overflow(units, size, &units);
  }
  if (!fits) return -1;
  if (bits >= 8) return units;
  return units % 8 == 0 ? units / 8 : -1;
}

std::vector<float> ToFloat32(const NamedTensor& tensor) {
  switch (tensor.type) {
    case ElementType::kFloat64:
      return Converted<double>(tensor.bytes,
                               [](double x) { return static_cast<float>(x); });
    case ElementType::kFloat32:
      return Converted<float>(tensor.bytes, [](float x) { return x; });
    case ElementType::kFloat16:
      return Converted<uint16_t>(tensor.bytes, FloatFromFloat16);
    case ElementType::kBFloat16:
      return Converted<uint16_t>(tensor.bytes, FloatFromBFloat16);
    default:
      throw Error("tensor " + tensor.name + ": its elements are " +
                  std::string(NameOf(tensor.type)) +
                  ", where floating-point numbers are needed");
  }
}

}  // namespace keylens
