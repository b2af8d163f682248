#include "src/base/text_encoding.h"

#include <cstddef>

#include "src/base/utf8.h"

namespace keylens {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleMark = "\xFF\xFE", kBigMark = "\xFE\xFF";

// So many bytes tell the encoding.
constexpr std::size_t kSample = 1024;

// Zeros at every other byte, from `first` on.
std::size_t ZerosFrom(std::size_t first, std::string_view bytes) {
  std::size_t zeros = 0;
  for (std::size_t i = first; i < bytes.size(); i += 2)
    zeros += bytes[i] == '\0' ? 1 : 0;
  return zeros;
}

// In most text most characters are below U+0100: one half of the bytes is
// mostly zeros, and the other has next to none.
bool HasZerosAt(std::size_t first, std::string_view bytes) {
  const std::size_t zeros = ZerosFrom(first, bytes);
  return bytes.size() >= 4 && 4 * zeros > bytes.size() &&
         8 * ZerosFrom(1 - first, bytes) <= zeros + 4;
}

bool IsBigEndian(std::string_view bytes) {
  if (bytes.starts_with(kBigMark)) return true;
  return !bytes.starts_with(kLittleMark) &&
         HasZerosAt(0, bytes.substr(0, kSample));
}

std::string DecodedUtf16(std::string_view bytes) {
  const std::size_t high = IsBigEndian(bytes) ? 0 : 1;
  const auto unit = [&](std::size_t at) {
    const auto byte = [&](std::size_t i) {
      return static_cast<char32_t>(static_cast<unsigned char>(bytes[i]));
    };
    return byte(at + high) << 8 | byte(at + 1 - high);
  };
  std::string text;
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    char32_t code = unit(at);
    const bool leads = code >= 0xD800 && code < 0xDC00;
    if (leads && at + 3 < bytes.size() && (unit(at + 2) & 0xFC00) == 0xDC00) {
      code = 0x10000 + ((code & 0x3FF) << 10) + (unit(at + 2) & 0x3FF);
      at += 2;
    } else if ((code & 0xF800) == 0xD800) {
      code = kReplacementCharacter;
    }
    AppendUtf8(code, text);
  }
  if (at < bytes.size()) AppendUtf8(kReplacementCharacter, text);
  return text;
}

}  // namespace

bool IsUtf16(std::string_view bytes) {
  const std::string_view sample = bytes.substr(0, kSample);
  return bytes.starts_with(kLittleMark) || bytes.starts_with(kBigMark) ||
         HasZerosAt(0, sample) || HasZerosAt(1, sample);
}

std::string DecodedText(std::string bytes) {
  if (IsUtf16(bytes)) bytes = DecodedUtf16(bytes);
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

}  // namespace keylens
