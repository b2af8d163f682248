#include "src/attention/door/argument_checker.h"

#include <algorithm>
#include <stdexcept>

namespace keylens::internal {

void ArgumentChecker::Fail(const std::string& what) const {
  throw std::invalid_argument(function_ + ": " + what);
}

void ArgumentChecker::RequireShape(const char* name,
                                   std::span<const int64_t> shape,
                                   std::span<const int64_t> expected,
                                   const char* axes) const {
  if (std::equal(shape.begin(), shape.end(), expected.begin(), expected.end()))
    return;
  Fail(std::string(name) + " has shape " + ShapeText(shape) + ", expected " +
       ShapeText(expected) + " (" + axes + ")");
}

void ArgumentChecker::RequireSeparateOutputs() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto require_apart = [&](const Named& other) {
      if (!Overlap(outputs_[i].footprint, other.footprint)) return;
      Fail(std::string(outputs_[i].name) + " overlaps " + other.name +
           " in memory; an output needs memory of its own");
    };
    std::for_each(inputs_.begin(), inputs_.end(), require_apart);
    std::for_each(outputs_.begin(),
                  outputs_.begin() + static_cast<std::ptrdiff_t>(i),
                  require_apart);
  }
}

void ArgumentChecker::RequireMemory(const char* name,
                                    std::span<const int64_t> shape,
                                    bool is_null) const {
  if (std::any_of(shape.begin(), shape.end(),
                  [](int64_t length) { return length < 0; })) {
    Fail(std::string(name) + " has a negative length: " + ShapeText(shape));
  }
  const bool has_elements = std::all_of(
      shape.begin(), shape.end(), [](int64_t length) { return length > 0; });
  if (has_elements && is_null)
    Fail(std::string(name) + " of shape " + ShapeText(shape) +
         " has null data");
}

void ArgumentChecker::RequireDistinctElements(
    const Named& output, std::span<const int64_t> shape) const {
  if (!RepeatsElements(output.footprint)) return;
  Fail(std::string(output.name) + " of shape " + ShapeText(shape) +
       " has stride 0 on an axis that is written");
}

std::string ShapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

}  // namespace keylens::internal
