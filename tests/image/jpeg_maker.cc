#include "tests/image/jpeg_maker.h"

// jpeglib.h needs stdio.h's FILE first.
#include <cstdio>
#include <cstdlib>
// clang-format off
#include <jpeglib.h>
// clang-format on

namespace keylens {
namespace {

J_COLOR_SPACE SpaceOf(const JpegRecipe& recipe) {
  if (recipe.channels == 1) return JCS_GRAYSCALE;
  return recipe.channels == 3 ? JCS_RGB : JCS_CMYK;
}

void SetUp(jpeg_compress_struct& encoder, const JpegRecipe& recipe) {
  encoder.image_width = recipe.width;
  encoder.image_height = recipe.height;
  encoder.input_components = recipe.channels;
  encoder.in_color_space = SpaceOf(recipe);
  jpeg_set_defaults(&encoder);
  if (recipe.channels == 4 && recipe.adobe)
    jpeg_set_colorspace(&encoder, JCS_YCCK);
  encoder.write_Adobe_marker = recipe.adobe ? TRUE : FALSE;
  for (int i = 0; i < recipe.channels; ++i)
    encoder.comp_info[i].h_samp_factor = encoder.comp_info[i].v_samp_factor = 1;
  jpeg_set_quality(&encoder, 100, TRUE);
  if (recipe.progressive) jpeg_simple_progression(&encoder);
}

}  // namespace

std::string MakeJpeg(const JpegRecipe& recipe) {
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err =
      jpeg_std_error(&errors);  // a wrong recipe ends the test program
  jpeg_create_compress(&encoder);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&encoder, &buffer, &size);
  SetUp(encoder, recipe);
  jpeg_start_compress(&encoder, TRUE);
  if (!recipe.exif.empty()) {
    const std::string data = std::string("Exif\0\0", 6) + recipe.exif;
    jpeg_write_marker(&encoder, JPEG_APP0 + 1,
                      reinterpret_cast<const JOCTET*>(data.data()),
                      data.size());
  }
  for (int y = 0; y < recipe.height; ++y) {
    auto* row = const_cast<JSAMPROW>(recipe.pixels.data() +
                                     std::size_t{1} * y * recipe.width *
                                         recipe.channels);
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  std::string bytes(reinterpret_cast<char*>(buffer), size);
  jpeg_destroy_compress(&encoder);
  std::free(buffer);
  return bytes;
}

std::string ExifWithOrientation(uint16_t orientation, bool big_endian,
                                uint16_t type) {
  std::string bytes = big_endian ? "MM" : "II";
  const auto append = [&](uint32_t value, int size) {
    for (int i = 0; i < size; ++i)
      bytes.push_back(
          static_cast<char>(value >> 8 * (big_endian ? size - 1 - i : i)));
  };
  append(42, 2);
  append(8, 4);  // the directory follows
  append(2, 2);
  append(0x0100, 2), append(4, 2), append(1, 4), append(123, 4);
  const int size = type == 1 ? 1 : type == 3 ? 2 : 4;
  append(0x0112, 2), append(type, 2), append(1, 4), append(orientation, size),
      append(0, 4 - size);
  append(0, 4);
  return bytes;
}

}  // namespace keylens
