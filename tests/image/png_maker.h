#ifndef KEYLENS_TESTS_IMAGE_PNG_MAKER_H_
#define KEYLENS_TESTS_IMAGE_PNG_MAKER_H_

#include <png.h>

#include <cstdint>
#include <string>
#include <vector>

namespace keylens {

// A PNG file to make with libpng, of any colour type.
struct PngRecipe {
  int width = 0;
  int height = 0;
  int bit_depth = 8;
  int color_type = PNG_COLOR_TYPE_RGBA;
  bool interlaced = false;
  std::vector<std::vector<uint8_t>>
      rows{};  // packed as the file packs them, 16 bits big-endian
  std::vector<png_color> palette{};
  std::vector<uint8_t> palette_alpha{};  // tRNS of a palette
  bool has_key_color = false;            // tRNS of grey and RGB
  png_color_16 key_color{};
  std::string compressed_text{};  // a zTXt chunk of the key "Comment", Latin-1
};

std::string MakePng(const PngRecipe& recipe);

// A file from chunks, with right checksums: the signature, then each {type,
// data}.
std::string PngFromChunks(
    const std::vector<std::pair<std::string, std::string>>& chunks);

// The data of an IHDR chunk.
std::string PngHeader(uint32_t width, uint32_t height, uint8_t bit_depth,
                      uint8_t color_type);

}  // namespace keylens

#endif  // KEYLENS_TESTS_IMAGE_PNG_MAKER_H_
