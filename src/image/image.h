#ifndef KEYLENS_SRC_IMAGE_IMAGE_H_
#define KEYLENS_SRC_IMAGE_IMAGE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/note_sink.h"

namespace keylens {

// An 8-bit picture, sRGB, rows from the top, channels interleaved, alpha (where
// there is one) straight.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 4;             // 1 grey, 3 RGB, 4 RGBA
  std::vector<uint8_t> pixels;  // height * width * channels
};

// The largest picture that is read: 2^26 pixels (8192 x 8192), so that a small
// file cannot ask for much memory.
inline constexpr int64_t kMaxPixels = int64_t{1} << 26;

// Reads PNG, JPEG or WebP, told apart by content, whatever the bit depth or
// colour type: 1, 3 or 4 channels as the file has them (16 bits are rounded to
// 8, palettes are expanded, a grey picture with alpha becomes RGBA, the four
// inks of a printer become RGB). A picture that its EXIF data says to turn is
// turned upright. Colour profiles are not applied.
//
// Throws Error with `name` (or the path) and the reason: no such picture,
// damaged or cut short, over kMaxPixels, an animation. Where all pixels were
// there although the file is not whole (a JPEG without its end marker, or with
// bytes that belong to nothing, as a damaged one has), `note` gets a line that
// starts with `name`. Any bytes are safe to pass.
Image DecodeImage(std::string_view bytes, const std::string& name,
                  const NoteSink& note = {});
Image ReadImage(const std::filesystem::path& path, const NoteSink& note = {});

// Key and value pairs of a PNG file's text chunks (UTF-8, iTXt where a value is
// not Latin-1).
using PngText = std::vector<std::pair<std::string, std::string>>;

// The bytes of a PNG file; the same picture and text give the same bytes. What
// a value cannot hold (NUL, bytes that are not UTF-8) becomes U+FFFD. Throws
// std::invalid_argument unless a key is 1 to 79 printable ASCII characters
// without spaces at its ends.
std::string EncodePng(const Image& image, const PngText& text = {});

// Writes that file, atomically. Throws Error, naming `path`, where it cannot be
// written.
void WritePng(const std::filesystem::path& path, const Image& image,
              const PngText& text = {});

// In the order of the file; Latin-1 values come as UTF-8. Throws Error as
// ReadImage does, and for what is no PNG.
PngText ReadPngText(const std::filesystem::path& path);

// All functions that take a picture throw std::invalid_argument unless its
// sizes are positive and its pixels as many as they say.

// The same picture with 4 channels; opaque where there was no alpha.
Image ToRgba(const Image& image);

// The same picture, RGB, as it looks on white paper.
Image OverWhite(const Image& image);

// The picture brought to width x height by an antialiased triangle filter on
// premultiplied colours, so that transparent pixels give no colour to their
// neighbours. Works on sRGB values as they are. Throws Error unless both sizes
// are positive and their product is at most kMaxPixels.
Image Resize(const Image& image, int width, int height);

}  // namespace keylens

#endif  // KEYLENS_SRC_IMAGE_IMAGE_H_
