#ifndef KEYLENS_TESTS_IMAGE_JPEG_MAKER_H_
#define KEYLENS_TESTS_IMAGE_JPEG_MAKER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace keylens {

// A JPEG file to make with libjpeg, at the best quality and without
// subsampling.
struct JpegRecipe {
  int width = 0;
  int height = 0;
  int channels = 3;  // 1 grey, 3 RGB (stored as YCbCr), 4 CMYK
  std::vector<uint8_t> pixels{};
  bool progressive = false;
  bool adobe = false;  // with Adobe's marker; CMYK is then stored as YCCK
  std::string exif{};  // what follows "Exif\0\0"; none where empty
};

std::string MakeJpeg(const JpegRecipe& recipe);

// A TIFF block of two entries, the second of them the orientation, as a value
// of TIFF's type 1 (byte), 3 (short), 4 (long) or another, which takes 8 bytes.
std::string ExifWithOrientation(uint16_t orientation, bool big_endian,
                                uint16_t type = 3);

}  // namespace keylens

#endif  // KEYLENS_TESTS_IMAGE_JPEG_MAKER_H_
