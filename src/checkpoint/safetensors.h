#ifndef KEYLENS_SRC_CHECKPOINT_SAFETENSORS_H_
#define KEYLENS_SRC_CHECKPOINT_SAFETENSORS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/mapped_file.h"
#include "src/checkpoint/element_type.h"

namespace keylens {

// One named tensor, dense and row-major. `bytes` is owned by the file (or the
// caller) that it came from, and lies at any address: copy elements out with
// memcpy.
struct NamedTensor {
  std::string name;
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
};

// The tensors of one safetensors file
// (https://github.com/huggingface/safetensors).
//
// A file is refused, with an Error that names it and the tensor, unless every
// byte of its data belongs to exactly one tensor, sizes agree with shapes,
// booleans are 0 or 1, and the header is at most 100 MB of valid JSON without
// a name given twice. Any bytes are safe to pass.
class Safetensors {
 public:
  // Maps the file: its pages are read as tensors are.
  static Safetensors Read(const std::filesystem::path& path);
  // Takes the bytes of a file; errors start with `name`.
  static Safetensors Parse(std::string bytes, const std::string& name);

  // The tensors hold views into this object: it moves, but is not copied.
  Safetensors(Safetensors&&) noexcept = default;
  Safetensors& operator=(Safetensors&&) noexcept = default;
  Safetensors(const Safetensors&) = delete;
  Safetensors& operator=(const Safetensors&) = delete;

  // In the order of their data.
  const std::vector<NamedTensor>& tensors() const { return tensors_; }
  // Null when there is none of that name.
  const NamedTensor* Find(std::string_view name) const;
  const std::map<std::string, std::string>& metadata() const {
    return metadata_;
  }
  const std::string& name() const { return name_; }

  // Throws Error where a mapped file is shorter than when it was opened; to be
  // called before bytes of it are read (src/base/mapped_file.h says why).
  void CheckSize() const;

 private:
  Safetensors() = default;
  void ParseBytes(std::string_view bytes);

  std::string name_;
  std::shared_ptr<const MappedFile> mapped_;  // one of these two holds
  std::unique_ptr<const std::string> bytes_;  // the bytes
  std::vector<NamedTensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_;  // by name
  std::map<std::string, std::string> metadata_;
};

// Writes atomically; equal tensors give equal bytes, whatever their order. Data
// lies by falling element size, then by name, so that every tensor is aligned.
// Throws std::invalid_argument for a name given twice (or "__metadata__") and
// for bytes that do not fill the shape, Error for a name or a metadata string
// that is not UTF-8 and for a file that cannot be written.
void WriteSafetensors(const std::filesystem::path& path,
                      std::span<const NamedTensor> tensors,
                      const std::map<std::string, std::string>& metadata = {});

// The elements as float32 (float64 is rounded). Throws Error for an integer
// type.
std::vector<float> ToFloat32(const NamedTensor& tensor);

// Round to nearest, ties to even, as IEEE 754 converts.
uint16_t Float16FromFloat(float value);
float FloatFromFloat16(uint16_t bits);
uint16_t BFloat16FromFloat(float value);
float FloatFromBFloat16(uint16_t bits);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_SAFETENSORS_H_
