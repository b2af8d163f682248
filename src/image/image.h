#ifndef KEYLENS_SRC_IMAGE_IMAGE_H_
#define KEYLENS_SRC_IMAGE_IMAGE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
// 8, palettes are expanded, a grey picture with alpha becomes RGBA). Throws
// Error with `name` (or the path) and the reason. Any bytes are safe to pass.
Image DecodeImage(std::string_view bytes, const std::string& name);
Image ReadImage(const std::filesystem::path& path);

// Key and value pairs of a PNG file's text chunks (UTF-8, iTXt where a value is
// not Latin-1).
using PngText = std::vector<std::pair<std::string, std::string>>;

std::string EncodePng(const Image& image, const PngText& text = {});
void WritePng(const std::filesystem::path& path, const Image& image,
              const PngText& text = {});
PngText ReadPngText(const std::filesystem::path& path);

// The same picture with 4 channels; opaque where there was no alpha.
Image ToRgba(const Image& image);

// The same picture, RGB, as it looks on white paper.
Image OverWhite(const Image& image);

// The picture brought to width x height by an antialiased triangle filter on
// premultiplied colours, so that transparent pixels give no colour to their
// neighbours.
Image Resize(const Image& image, int width, int height);

}  // namespace keylens

#endif  // KEYLENS_SRC_IMAGE_IMAGE_H_
