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
  int64_t size;
};

// In the order of ElementType.
constexpr std::array<TypeFacts, 8> kTypes{{{"F64", 8},
                                           {"F32", 4},
                                           {"F16", 2},
                                           {"BF16", 2},
                                           {"I64", 8},
                                           {"I32", 4},
                                           {"U8", 1},
                                           {"BOOL", 1}}};

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

int64_t SizeOf(ElementType type) {
  return kTypes[static_cast<std::size_t>(type)].size;
}
std::string_view NameOf(ElementType type) {
  return kTypes[static_cast<std::size_t>(type)].name;
}

int64_t DenseBytes(ElementType type, const std::vector<int64_t>& shape) {
  int64_t bytes = SizeOf(type);
  bool fits = true;
  for (const int64_t size : shape) {
    // A size of 0 after a product that does not fit is refused as well.
    fits = fits && size >= 0 && !__builtin_mul_overflow(bytes, size, &bytes);
  }
  return fits ? bytes : -1;
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
