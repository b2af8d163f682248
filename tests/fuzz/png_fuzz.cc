// Any bytes as a PNG file: as they are, and with the checksum of each chunk put
// right, so that what lies behind the checksums is reached too.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/image/codecs.h"
#include "tests/fuzz/picture_fuzz.h"

namespace {

constexpr std::size_t kSignatureBytes = 8;

uint32_t BigEndianAt(const std::string& bytes, std::size_t at) {
  uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

// A chunk: length of its data, type, data, checksum of type and data.
std::string WithRightChecksums(std::string bytes) {
  std::size_t at = kSignatureBytes;
  while (at <= bytes.size() && bytes.size() - at >= 12) {
    const std::size_t length = BigEndianAt(bytes, at);
    if (length > bytes.size() - at - 12) break;
    const auto* type = reinterpret_cast<const Bytef*>(bytes.data() + at + 4);
    const auto crc = crc32(0, type, static_cast<uInt>(length + 4));
    for (int i = 0; i < 4; ++i)
      bytes[at + 8 + length + i] = static_cast<char>(crc >> (24 - 8 * i));
    at += 12 + length;
  }
  return bytes;
}

// Large pictures that do fit take most of the time and show nothing that small
// ones do not.
bool IsSlow(const std::string& bytes) {
  constexpr std::size_t kWidthAt = kSignatureBytes + 8;
  constexpr uint64_t kManyPixels = uint64_t{1} << 18;
  if (bytes.size() < kWidthAt + 8) return false;
  const uint64_t pixels =
      uint64_t{BigEndianAt(bytes, kWidthAt)} * BigEndianAt(bytes, kWidthAt + 4);
  return pixels > kManyPixels &&
         pixels <= static_cast<uint64_t>(keylens::kMaxPixels);
}

void ReadText(const std::string& bytes) {
  keylens::PngText text;
  try {
    keylens::DecodePng(bytes, "fuzz", &text);
  } catch (const keylens::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (IsSlow(bytes)) return 0;
  keylens::DecodeOrRefuse(bytes);
  bytes.insert(0, bytes.starts_with("\x89PNG") ? "" : "\x89PNG\r\n\x1A\n");
  if (IsSlow(bytes)) return 0;
  bytes = WithRightChecksums(std::move(bytes));
  keylens::DecodeOrRefuse(bytes);
  ReadText(bytes);
  return 0;
}
