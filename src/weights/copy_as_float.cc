#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"
#include "src/weights/weight_source.h"

namespace keylens {
namespace {

// Each element type: how an element becomes a float. Without branches, so that
// compilers make vectors of the loops below; infinities and NaN stay what they
// are, for they are looked for in the result.
struct FromFloat64 {
  using Element = double;
  static float Convert(double x) { return static_cast<float>(x); }
};
struct FromFloat32 {
  using Element = float;
  static float Convert(float x) { return x; }
};
struct FromFloat16 {
  using Element = uint16_t;
  static float Convert(uint16_t half) {
    constexpr uint32_t kRebias = (127u - 15u) << 23;
    const uint32_t magnitude = (uint32_t{half} & 0x7FFFu) << 13;
    const uint32_t exponent = magnitude & 0x0F800000u;
    // An exponent of all ones is one in float32 too.
    const uint32_t special = exponent == 0x0F800000u ? kRebias : 0u;
    const float normal = std::bit_cast<float>(magnitude + kRebias + special);
    // Subnormal: the bits as the fraction of 2^-14, less that 2^-14.
    const float subnormal =
        std::bit_cast<float>(magnitude + kRebias + (1u << 23)) - 0x1p-14f;
    const auto bits =
        std::bit_cast<uint32_t>(exponent == 0 ? subnormal : normal);
    return std::bit_cast<float>(bits | (uint32_t{half} & 0x8000u) << 16);
  }
};
struct FromBFloat16 {
  using Element = uint16_t;
  static float Convert(uint16_t bits) {
    return std::bit_cast<float>(uint32_t{bits} << 16);
  }
};

bool IsFinite(float x) {
  return (std::bit_cast<uint32_t>(x) & 0x7F800000u) != 0x7F800000u;
}

[[noreturn]] void FailNotFinite(const WeightView& view, int64_t element,
                                float value) {
  const char* what = value != value ? "NaN" : "infinite";
  throw Error(view.place + ": element " + std::to_string(element) + " is " +
              what +
              "; the file is damaged, or was saved by a training that "
              "diverged");
}

// Elements that lie `step` apart, from element `at` of the file on. The loop
// over a stretch only notes whether something is wrong: which element it was is
// looked for afterwards.
template <typename From>
bool CopyStretch(const std::byte* bytes, int64_t at, int64_t step,
                 std::span<float> out) {
  using Element = typename From::Element;
  bool finite = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Element element;  // bytes of a file lie at any address
    std::memcpy(&element,
                bytes + (at + static_cast<int64_t>(i) * step) *
                            static_cast<int64_t>(sizeof(Element)),
                sizeof(Element));
    out[i] = From::Convert(element);
    finite &= IsFinite(out[i]);
  }
  return finite;
}

void CheckStretch(const WeightView& view, int64_t first,
                  std::span<const float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!IsFinite(out[i]))
      FailNotFinite(view, first + static_cast<int64_t>(i), out[i]);
  }
}

template <typename From>
void CopyDense(const WeightView& view, int64_t first, std::span<float> out) {
  if (!CopyStretch<From>(view.bytes.data(), first, 1, out))
    CheckStretch(view, first, out);
}

// Row r of the matrix is column r of the bytes.
template <typename From>
void CopyTransposed(const WeightView& view, int64_t first,
                    std::span<float> out) {
  const int64_t rows = view.shape[0];
  const int64_t columns = view.shape[1];
  while (!out.empty()) {
    const int64_t row = first / columns;
    const int64_t column = first % columns;
    const auto stretch = out.first(
        std::min(out.size(), static_cast<std::size_t>(columns - column)));
    if (!CopyStretch<From>(view.bytes.data(), column * rows + row, rows,
                           stretch))
      CheckStretch(view, first, stretch);
    first += static_cast<int64_t>(stretch.size());
    out = out.subspan(stretch.size());
  }
}

template <typename From>
void Copy(const WeightView& view, int64_t first, std::span<float> out) {
  view.transposed ? CopyTransposed<From>(view, first, out)
                  : CopyDense<From>(view, first, out);
}

void CheckStretchFits(const WeightView& view, int64_t first,
                      std::size_t count) {
  const int64_t there = ElementCount(view);
  if (first >= 0 && first <= there &&
      count <= static_cast<std::size_t>(there - first))
    return;
  throw std::invalid_argument("CopyAsFloat: " + view.place + ": " +
                              std::to_string(count) + " elements from " +
                              std::to_string(first) + " on, of " +
                              ShapeText(view.shape));
}

}  // namespace

int64_t ElementCount(const WeightView& view) {
  int64_t count = 1;
  for (const int64_t size : view.shape) count *= size;
  return count;
}

void CopyAsFloat(const WeightView& view, int64_t first, std::span<float> out) {
  CheckStretchFits(view, first, out.size());
  switch (view.type) {
    case ElementType::kFloat64:
      return Copy<FromFloat64>(view, first, out);
    case ElementType::kFloat32:
      return Copy<FromFloat32>(view, first, out);
    case ElementType::kFloat16:
      return Copy<FromFloat16>(view, first, out);
    case ElementType::kBFloat16:
      return Copy<FromBFloat16>(view, first, out);
    default:
      throw Error(view.place + ": its elements are " +
                  std::string(NameOf(view.type)) +
                  ", where floating-point numbers are needed");
  }
}

void CopyAsFloat(const WeightView& view, std::span<float> out) {
  if (static_cast<std::size_t>(ElementCount(view)) != out.size())
    CheckStretchFits(view, 0, std::numeric_limits<std::size_t>::max());
  CopyAsFloat(view, 0, out);
}

}  // namespace keylens
