#ifndef KEYLENS_SRC_RENDER_REPORT_REPORT_ARRAYS_H_
#define KEYLENS_SRC_RENDER_REPORT_REPORT_ARRAYS_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

// How the arrays of a report are put into JSON: for programs as arrays in
// arrays, for the page, which has to be small and quick, flat and packed.

namespace keylens::render {

using Shape = std::vector<std::size_t>;

// The double that is written with the number's first 5 significant digits.
double Rounded(float number);

// Row-major numbers, rounded, as arrays in arrays.
nlohmann::ordered_json NestedArray(std::span<const float> numbers,
                                   std::span<const std::size_t> shape);
nlohmann::ordered_json NestedArray(std::span<const int32_t> numbers,
                                   std::span<const std::size_t> shape);

// {"numbers": [...]}, or, for more than 100,000, {"float16": BASE64} and
// {"int32": BASE64}, little-endian.
nlohmann::ordered_json PackedArray(std::span<const float> numbers);
nlohmann::ordered_json PackedArray(std::span<const int32_t> numbers);

// Maps [maps, rows, cols] in square tiles of `side` cells: {"rows", "cols",
// "side", "top", "tiles": {"MAP,ROW,COL": BASE64}}, where tiles at the right
// and lower edge are cut. A cell is a byte, round(255 sqrt(weight / top)), so
// that small weights, which are most of them, keep their difference; tiles of
// nothing but 0 are left out.
nlohmann::ordered_json PackedTiles(std::span<const float> weights,
                                   std::size_t maps, std::size_t rows,
                                   std::size_t cols);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_REPORT_ARRAYS_H_
