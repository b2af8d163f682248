#ifndef KEYLENS_SRC_IMAGE_CODECS_H_
#define KEYLENS_SRC_IMAGE_CODECS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "src/image/image.h"

namespace keylens {

// One reader per file format, for DecodeImage. Each takes any bytes, takes
// memory for pixels only after the size was checked, and throws Error, starting
// with `name`.

// `text`, where not null, gets the text chunks, in file order.
// Turned upright when an eXIf chunk says so.
Image DecodePng(std::string_view bytes, const std::string& name, PngText* text);

// Baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK. Turned upright
// when an EXIF orientation says so. `note`, where it is not empty, gets a line
// for a file that is not whole.
Image DecodeJpeg(std::string_view bytes, const std::string& name,
                 const NoteSink& note);

// Lossy and lossless; an animation is refused. Turned upright when an EXIF
// chunk says so.
Image DecodeWebp(std::string_view bytes, const std::string& name);

// Throws Error unless both sides are positive and their product is at most
// kMaxPixels.
void CheckPictureSize(int64_t width, int64_t height, const std::string& name);

// The orientation (1 to 8) that a block of EXIF data asks for: a TIFF header
// and its first directory, with or without "Exif\0\0" in front, which JPEG has
// and some writers of WebP and PNG leave there. 1 where it says nothing that
// can be read, as browsers have it.
int ExifOrientation(std::string_view exif);

// The picture as EXIF orientation 1 to 8 wants it seen.
Image ApplyOrientation(Image image, int orientation);

}  // namespace keylens

#endif  // KEYLENS_SRC_IMAGE_CODECS_H_
