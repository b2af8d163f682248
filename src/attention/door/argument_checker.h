#ifndef KEYLENS_SRC_ATTENTION_DOOR_ARGUMENT_CHECKER_H_
#define KEYLENS_SRC_ATTENTION_DOOR_ARGUMENT_CHECKER_H_

#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/attention/door/overlap.h"

namespace keylens::internal {

// Collects what a call reads and writes, and refuses what does not fit
// together. Every failure is a std::invalid_argument whose text starts with the
// name of the public function.
class ArgumentChecker {
 public:
  explicit ArgumentChecker(std::string function)
      : function_(std::move(function)) {}

  [[noreturn]] void Fail(const std::string& what) const;

  // A view that is read. Fails for a negative length, or for elements without
  // data.
  template <typename T, int kRank>
  void Reads(const char* name, const TensorView<T, kRank>& view) {
    RequireMemory(name, view.shape, view.data == nullptr);
    inputs_.push_back({name, FootprintOf(view)});
  }

  // A view that is written. Fails as Reads does, and for an axis with stride 0.
  template <typename T, int kRank>
  void Writes(const char* name, const TensorView<T, kRank>& view) {
    RequireMemory(name, view.shape, view.data == nullptr);
    outputs_.push_back({name, FootprintOf(view)});
    RequireDistinctElements(outputs_.back(), view.shape);
  }

  // Fails unless `shape` is `expected`, which is described, axis by axis, by
  // `axes`.
  void RequireShape(const char* name, std::span<const int64_t> shape,
                    std::span<const int64_t> expected, const char* axes) const;

  // Fails where an output shares memory with an input or with another output.
  void RequireSeparateOutputs() const;

 private:
  struct Named {
    const char* name;
    Footprint footprint;
  };

  void RequireMemory(const char* name, std::span<const int64_t> shape,
                     bool is_null) const;
  void RequireDistinctElements(const Named& output,
                               std::span<const int64_t> shape) const;

  std::string function_;
  std::vector<Named> inputs_;
  std::vector<Named> outputs_;
};

// "[2, 3, 5]"
std::string ShapeText(std::span<const int64_t> shape);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_DOOR_ARGUMENT_CHECKER_H_
