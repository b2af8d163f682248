#include "src/inspect/array.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"
#include "src/checkpoint/npy.h"

namespace keylens::inspect {
namespace {

constexpr std::string_view kExtension = ".safetensors";

std::vector<int64_t> RowMajorStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 0);
  if (std::ranges::count(shape, 0) > 0) return strides;
  int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

// "'query', 'key' and 10 more"
std::string NamesIn(const Safetensors& file) {
  constexpr std::size_t kListed = 8;
  const auto& tensors = file.tensors();
  std::string names;
  for (std::size_t i = 0; i < std::min(kListed, tensors.size()); ++i)
    names += (i > 0 ? ", " : "") + QuotedName(tensors[i].name);
  if (tensors.size() > kListed)
    names += " and " + std::to_string(tensors.size() - kListed) + " more";
  return tensors.empty() ? "none" : names;
}

const NamedTensor& TensorOf(const Safetensors& file, const std::string& tensor,
                            const std::string& place) {
  if (tensor.empty()) {
    if (file.tensors().size() == 1) return file.tensors()[0];
    throw Error(place + ": which tensor? Name one behind a colon: it has " +
                NamesIn(file));
  }
  const NamedTensor* found = file.Find(tensor);
  if (found != nullptr) return *found;
  throw Error(place + ": there is no such tensor; it has " + NamesIn(file));
}

Array OfNpy(const std::string& place) {
  const auto file = std::make_shared<const NpyArray>(NpyArray::Read(place));
  return {place,           file->type(),  file->shape(),
          file->strides(), file->bytes(), file};
}

template <typename T>
std::vector<int64_t> Elements(const Array& array) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < array.size(); ++i) {
    T element;
    std::memcpy(&element, array.bytes.data() + i * sizeof(T), sizeof(T));
    elements.push_back(static_cast<int64_t>(element));
  }
  return elements;
}

std::vector<int64_t> WholeNumbers(const Array& array) {
  switch (array.type) {
    case ElementType::kInt64:
      return Elements<int64_t>(array);
    case ElementType::kInt32:
      return Elements<int32_t>(array);
    case ElementType::kInt16:
      return Elements<int16_t>(array);
    case ElementType::kInt8:
      return Elements<int8_t>(array);
    case ElementType::kUInt32:
      return Elements<uint32_t>(array);
    case ElementType::kUInt16:
      return Elements<uint16_t>(array);
    case ElementType::kUInt8:
      return Elements<uint8_t>(array);
    default:
      throw Error(Describe(array) +
                  ", where integers are needed; save it with .astype('int32')");
  }
}

}  // namespace

std::string FileOfPlace(const std::string& place) {
  const std::size_t colon = place.find(std::string(kExtension) + ":");
  return place.substr(
      0, colon == std::string::npos ? colon : colon + kExtension.size());
}

Array ArrayReader::Read(const std::string& place) {
  const std::string path = FileOfPlace(place);
  const bool named = path != place;
  if (!path.ends_with(kExtension)) return OfNpy(place);
  auto& file = safetensors_[path];
  if (file == nullptr)
    file = std::make_shared<const Safetensors>(Safetensors::Read(path));
  const NamedTensor& tensor =
      TensorOf(*file, named ? place.substr(path.size() + 1) : "", place);
  return {place,        tensor.type,
          tensor.shape, RowMajorStrides(tensor.shape),
          tensor.bytes, file};
}

std::string NameOfType(ElementType type) {
  return std::string(LongNameOf(type));
}

std::string Describe(const Array& array) {
  return array.place + ": " + NameOfType(array.type) + " " +
         ShapeText(array.shape);
}

std::vector<float> FloatsOf(const Array& array) {
  if (!HasFloats(array.type)) {
    throw Error(Describe(array) +
                ", where floating-point numbers are needed; save it with "
                ".astype('float32')");
  }
  return ToFloat32({array.place, array.type, array.shape, array.bytes});
}

bool IsAligned(const Array& array) {
  return reinterpret_cast<uintptr_t>(array.bytes.data()) %
             static_cast<uintptr_t>(SizeOf(array.type)) ==
         0;
}

std::vector<int32_t> IntegersOf(const Array& array) {
  if (array.rank() != 1)
    throw Error(Describe(array) + ", where one axis is needed");
  std::vector<int32_t> integers;
  for (const int64_t number : WholeNumbers(array)) {
    if (number < std::numeric_limits<int32_t>::min() ||
        number > std::numeric_limits<int32_t>::max()) {
      throw Error(array.place + ": the number " + std::to_string(number) +
                  " is too large");
    }
    integers.push_back(static_cast<int32_t>(number));
  }
  return integers;
}

}  // namespace keylens::inspect
