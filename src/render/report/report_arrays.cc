#include "src/render/report/report_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "src/checkpoint/safetensors.h"
#include "src/render/report/base64.h"

namespace keylens::render {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little,
              "the page reads little-endian arrays");

constexpr std::size_t kMostNumbers = 100000;
constexpr float kLargestFloat16 = 65504;
constexpr std::size_t kTileSide = 64;

Json ToJson(float number) { return Rounded(number); }
Json ToJson(int32_t number) { return number; }

template <typename Number>
Json Nested(std::span<const Number> numbers,
            std::span<const std::size_t> shape) {
  Json array = Json::array();
  if (shape.size() == 1) {
    for (const Number number : numbers) array.push_back(ToJson(number));
    return array;
  }
  const std::size_t part = numbers.size() / shape.front();
  for (std::size_t i = 0; i < shape.front(); ++i) {
    array.push_back(Nested(numbers.subspan(i * part, part), shape.subspan(1)));
  }
  return array;
}

template <typename Number>
std::string Base64Of(std::span<const Number> numbers) {
  return Base64(
      {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

template <typename Number>
Json Flat(std::span<const Number> numbers) {
  const std::size_t size = numbers.size();
  return {{"numbers", Nested(numbers, std::span(&size, 1))}};
}

char RootOfShare(float weight, float top) {
  return static_cast<char>(std::lround(255 * std::sqrt(weight / top)));
}

}  // namespace

double Rounded(float number) {
  char text[32];
  *fmt::format_to_n(text, sizeof(text) - 1, "{:.5g}", number).out = '\0';
  return std::strtod(text, nullptr);
}

Json NestedArray(std::span<const float> numbers,
                 std::span<const std::size_t> shape) {
  return Nested(numbers, shape);
}

Json NestedArray(std::span<const int32_t> numbers,
                 std::span<const std::size_t> shape) {
  return Nested(numbers, shape);
}

Json PackedArray(std::span<const float> numbers) {
  if (numbers.size() <= kMostNumbers ||
      *std::ranges::max_element(numbers) > kLargestFloat16)
    return Flat(numbers);
  std::vector<uint16_t> halves(numbers.size());
  std::ranges::transform(numbers, halves.begin(), Float16FromFloat);
  return {{"float16", Base64Of(std::span<const uint16_t>(halves))}};
}

Json PackedArray(std::span<const int32_t> numbers) {
  if (numbers.size() <= kMostNumbers) return Flat(numbers);
  return {{"int32", Base64Of(numbers)}};
}

Json PackedTiles(std::span<const float> weights, std::size_t maps,
                 std::size_t rows, std::size_t cols) {
  const float largest = *std::ranges::max_element(weights);
  const float top = largest > 0 ? largest : 1;
  Json tiles = Json::object();
  std::string cells;
  for (std::size_t map = 0; map < maps; ++map) {
    for (std::size_t row = 0; row < rows; row += kTileSide) {
      for (std::size_t col = 0; col < cols; col += kTileSide) {
        cells.clear();
        for (std::size_t y = row; y < std::min(rows, row + kTileSide); ++y) {
          for (std::size_t x = col; x < std::min(cols, col + kTileSide); ++x)
            cells += RootOfShare(weights[(map * rows + y) * cols + x], top);
        }
        if (cells.find_first_not_of('\0') == std::string::npos) continue;
        tiles[fmt::format("{},{},{}", map, row / kTileSide, col / kTileSide)] =
            Base64(cells);
      }
    }
  }
  return {{"rows", rows},
          {"cols", cols},
          {"side", kTileSide},
          {"top", Rounded(top)},
          {"tiles", std::move(tiles)}};
}

}  // namespace keylens::render
