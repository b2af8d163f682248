#ifndef KEYLENS_SRC_INSPECT_ARRAY_H_
#define KEYLENS_SRC_INSPECT_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/checkpoint/element_type.h"
#include "src/checkpoint/safetensors.h"

namespace keylens::inspect {

// An array of a file, where it lies.
struct Array {
  std::string place;  // as the user named it
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;      // in elements
  std::span<const std::byte> bytes;  // dense, in some order of the axes
  std::shared_ptr<const void> file;  // keeps the bytes

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t size() const {
    return static_cast<int64_t>(bytes.size()) / SizeOf(type);
  }
};

// The file of such a place as ArrayReader takes: "dump.safetensors" of
// "dump.safetensors:layer.0.query".
std::string FileOfPlace(const std::string& place);

// Reads arrays by the places that a user names: "q.npy", a tensor of a
// safetensors file as "dump.safetensors:layer.0.query", or such a file alone
// where it has a single tensor. A file with several arrays is read once.
class ArrayReader {
 public:
  // Throws Error, starting with the place.
  Array Read(const std::string& place);

 private:
  std::map<std::string, std::shared_ptr<const Safetensors>> safetensors_;
};

// "q.npy: float32 [8, 512, 64]"
std::string Describe(const Array& array);

// "float32", "bfloat16", ... as numpy and torch spell it.
std::string NameOfType(ElementType type);

// The elements as float32, in the order in which they lie: shape and strides
// stay. Throws Error for anything but floating-point numbers.
std::vector<float> FloatsOf(const Array& array);

// Whether the engine can read the elements as they lie.
bool IsAligned(const Array& array);

// The elements of an array of integers, row-major. Throws Error, naming the
// place, for another type and for numbers that int32 has not.
std::vector<int32_t> IntegersOf(const Array& array);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_ARRAY_H_
