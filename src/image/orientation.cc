#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "src/image/codecs.h"

namespace keylens {
namespace {

constexpr std::string_view kExifSignature("Exif\0\0", 6);
constexpr uint32_t kTiffMagic = 42;
constexpr uint32_t kOrientationTag = 0x0112;
constexpr uint32_t kEntryBytes = 12;

// Bytes of one value of TIFF's unsigned types. EXIF asks for a short; there are
// writers of the others.
int BytesOfType(uint32_t type) {
  constexpr uint32_t kByte = 1, kShort = 3, kLong = 4;
  return type == kByte ? 1 : type == kShort ? 2 : type == kLong ? 4 : 0;
}

// Unsigned integers of a TIFF block, in the byte order that its first bytes
// name.
class TiffBytes {
 public:
  explicit TiffBytes(std::string_view bytes)
      : bytes_(bytes), big_endian_(bytes.starts_with("MM")) {}

  std::optional<uint32_t> At(std::size_t offset, int size) const {
    if (offset > bytes_.size() ||
        bytes_.size() - offset < static_cast<std::size_t>(size))
      return std::nullopt;
    uint32_t value = 0;
    for (int i = 0; i < size; ++i) {
      const uint32_t byte = static_cast<unsigned char>(bytes_[offset + i]);
      value |= byte << 8 * (big_endian_ ? size - 1 - i : i);
    }
    return value;
  }

 private:
  std::string_view bytes_;
  bool big_endian_;
};

// Where the pixel that is seen at (x, y) lies in a stored picture of width x
// height. Orientations as EXIF 2.3 numbers them; from 5 on, rows and columns
// are swapped.
std::pair<int, int> StoredPlace(int orientation, int x, int y, int width,
                                int height) {
  const int right = width - 1;
  const int bottom = height - 1;
  switch (orientation) {
    case 2:
      return {right - x, y};
    case 3:
      return {right - x, bottom - y};
    case 4:
      return {x, bottom - y};
    case 5:
      return {y, x};
    case 6:
      return {y, bottom - x};
    case 7:
      return {right - y, bottom - x};
    case 8:
      return {right - y, x};
    default:
      return {x, y};
  }
}

}  // namespace

int ExifOrientation(std::string_view exif) {
  if (exif.starts_with(kExifSignature))
    exif.remove_prefix(kExifSignature.size());
  if (!exif.starts_with("MM") && !exif.starts_with("II")) return 1;
  const TiffBytes bytes(exif);
  if (bytes.At(2, 2) != kTiffMagic) return 1;
  const std::size_t directory = bytes.At(4, 4).value_or(0);
  const uint32_t entries = bytes.At(directory, 2).value_or(0);
  for (uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{kEntryBytes} * i;
    const std::optional<uint32_t> tag = bytes.At(entry, 2);
    if (!tag) return 1;
    if (*tag != kOrientationTag) continue;
    const int size = BytesOfType(bytes.At(entry + 2, 2).value_or(0));
    if (size == 0 || bytes.At(entry + 4, 4) != 1u) return 1;
    const uint32_t value = bytes.At(entry + 8, size).value_or(1);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image ApplyOrientation(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool swapped = orientation >= 5;
  Image upright;
  upright.width = swapped ? image.height : image.width;
  upright.height = swapped ? image.width : image.height;
  upright.channels = image.channels;
  upright.pixels.resize(image.pixels.size());
  uint8_t* out = upright.pixels.data();
  for (int y = 0; y < upright.height; ++y) {
    for (int x = 0; x < upright.width; ++x) {
      const auto [from_x, from_y] =
          StoredPlace(orientation, x, y, image.width, image.height);
      const std::size_t from =
          (std::size_t{1} * from_y * image.width + from_x) * image.channels;
      for (int c = 0; c < image.channels; ++c) *out++ = image.pixels[from + c];
    }
  }
  return upright;
}

}  // namespace keylens
