#ifndef KEYLENS_SRC_WEIGHTS_WEIGHT_SOURCE_H_
#define KEYLENS_SRC_WEIGHTS_WEIGHT_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/checkpoint/element_type.h"

namespace keylens {

// One weight where it lies: dense, in the element type of its file. The bytes
// belong to the source that it came from, and lie at any address.
struct WeightView {
  std::string place;  // for error lines: "model.safetensors: tensor 'a.weight'"
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
  // The bytes are those of the transposed matrix, [shape[1], shape[0]].
  bool transposed = false;
};

int64_t ElementCount(const WeightView& view);

// Writes the elements, row-major in the order of `shape`, as float32: float32,
// float16 and bfloat16 exactly, float64 rounded. `out` has ElementCount
// elements.
//
// Throws Error, naming file and tensor, for other element types and for an
// element that is NaN or infinite: no trained weight is, and one of them makes
// every result NaN.
void CopyAsFloat(const WeightView& view, std::span<float> out);

// The out.size() elements from element `first` on, in the same order: a row of
// a table, or a panel of a matrix, without the rest.
void CopyAsFloat(const WeightView& view, int64_t first, std::span<float> out);

// Weights by name, from files or memory. Views are valid as long as the source
// is. Any number of threads may read.
class WeightSource {
 public:
  virtual ~WeightSource() = default;

  // Each name once.
  virtual std::vector<std::string> Names() const = 0;
  // None where there is no weight of that name. Throws Error where its file was
  // cut short since it was opened.
  virtual std::optional<WeightView> Find(std::string_view name) const = 0;
  // For error lines: the file that holds the weight, or would hold it.
  virtual std::string Where(std::string_view name) const = 0;
};

// A safetensors file, mapped: it costs pages of the file, which are read as
// they are touched, and no memory of the process's own.
std::shared_ptr<const WeightSource> OpenSafetensors(
    const std::filesystem::path& path);

// Weights in memory, copied in. For tests and for what is made, not read.
class MemorySource : public WeightSource {
 public:
  // `where`: for error lines.
  explicit MemorySource(std::string where = "memory")
      : where_(std::move(where)) {}

  void Add(const std::string& name, std::vector<int64_t> shape,
           std::span<const float> values);
  // Throws std::invalid_argument unless the bytes fill the shape.
  void Add(const std::string& name, ElementType type,
           std::vector<int64_t> shape, std::span<const std::byte> bytes);

  std::vector<std::string> Names() const override;
  std::optional<WeightView> Find(std::string_view name) const override;
  std::string Where(std::string_view name) const override;

 private:
  struct Entry {
    ElementType type = ElementType::kFloat32;
    std::vector<int64_t> shape;
    std::vector<std::byte> bytes;
  };

  std::string where_;
  std::map<std::string, Entry, std::less<>> entries_;
};

// The weights of `source` whose names start with `prefix`, by the rest of their
// names: PrefixedSource(s, "encoder.").Find("weight") is "encoder.weight" of s.
class PrefixedSource : public WeightSource {
 public:
  PrefixedSource(std::shared_ptr<const WeightSource> source, std::string prefix)
      : source_(std::move(source)), prefix_(std::move(prefix)) {}

  std::vector<std::string> Names() const override;
  std::optional<WeightView> Find(std::string_view name) const override;
  std::string Where(std::string_view name) const override;

 private:
  std::string Inner(std::string_view name) const {
    return prefix_ + std::string(name);
  }

  std::shared_ptr<const WeightSource> source_;
  std::string prefix_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_WEIGHT_SOURCE_H_
