#include "tests/image/png_maker.h"

#include <stdexcept>
#include <utility>

namespace keylens {
namespace {

void Append(png_structp png, png_bytep data, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<char*>(data), count);
}
void Flush(png_structp) {}
// Recipes are right; a wrong one ends the test program.
void Fail(png_structp, png_const_charp message) {
  std::fprintf(stderr, "MakePng: %s\n", message);
  std::abort();
}

void SetTransparency(png_structp png, png_infop info, const PngRecipe& recipe) {
  if (!recipe.palette_alpha.empty()) {
    png_set_tRNS(png, info, recipe.palette_alpha.data(),
                 static_cast<int>(recipe.palette_alpha.size()), nullptr);
  }
  if (recipe.has_key_color)
    png_set_tRNS(png, info, nullptr, 0, &recipe.key_color);
}

void SetText(png_structp png, png_infop info, const PngRecipe& recipe) {
  if (recipe.compressed_text.empty()) return;
  png_text text{};
  text.compression = PNG_TEXT_COMPRESSION_zTXt;
  text.key = const_cast<char*>("Comment");
  text.text = const_cast<char*>(recipe.compressed_text.c_str());
  png_set_text(png, info, &text, 1);
}

uint32_t Crc(const std::string& bytes) {
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

std::string BigEndian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

}  // namespace

std::string MakePng(const PngRecipe& recipe) {
  std::string bytes;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, Fail, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, Append, Flush);
  png_set_IHDR(png, info, recipe.width, recipe.height, recipe.bit_depth,
               recipe.color_type,
               recipe.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!recipe.palette.empty()) {
    png_set_PLTE(png, info, recipe.palette.data(),
                 static_cast<int>(recipe.palette.size()));
  }
  SetTransparency(png, info, recipe);
  SetText(png, info, recipe);
  png_write_info(png, info);
  std::vector<png_bytep> rows;
  for (const auto& row : recipe.rows)
    rows.push_back(const_cast<png_bytep>(row.data()));
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

std::string PngFromChunks(
    const std::vector<std::pair<std::string, std::string>>& chunks) {
  std::string bytes = "\x89PNG\r\n\x1A\n";
  for (const auto& [type, data] : chunks) {
    bytes += BigEndian(static_cast<uint32_t>(data.size())) + type + data +
             BigEndian(Crc(type + data));
  }
  return bytes;
}

std::string PngHeader(uint32_t width, uint32_t height, uint8_t bit_depth,
                      uint8_t color_type) {
  std::string data = BigEndian(width) + BigEndian(height);
  for (const uint8_t byte :
       {bit_depth, color_type, uint8_t{0}, uint8_t{0}, uint8_t{0}}) {
    data.push_back(static_cast<char>(byte));
  }
  return data;
}

}  // namespace keylens
