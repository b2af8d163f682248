#include "src/base/utf8.h"

#include <cstdint>

namespace keylens {
namespace {

// Bytes that a character takes, from its first byte; 0 for a byte that starts
// none.
std::size_t LengthFromFirstByte(uint8_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool IsScalarValue(char32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

}  // namespace

Utf8Character DecodeUtf8(std::string_view text, std::size_t at) {
  constexpr Utf8Character kInvalid{kReplacementCharacter, 1, false};
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by length
  const auto first = static_cast<uint8_t>(text[at]);
  const std::size_t length = LengthFromFirstByte(first);
  if (length == 0 || length > text.size() - at) return kInvalid;
  if (length == 1) return {first, 1, true};
  char32_t code = first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<uint8_t>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return kInvalid;
    code = (code << 6) | (byte & 0x3F);
  }
  if (code < kSmallest[length] || !IsScalarValue(code)) return kInvalid;
  return {code, length, true};
}

void AppendUtf8(char32_t code, std::string& text) {
  const auto append = [&text](char32_t byte) {
    text.push_back(static_cast<char>(byte));
  };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xC0 | (code >> 6));
    append(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    append(0xE0 | (code >> 12));
    append(0x80 | ((code >> 6) & 0x3F));
    append(0x80 | (code & 0x3F));
  } else {
    append(0xF0 | (code >> 18));
    append(0x80 | ((code >> 12) & 0x3F));
    append(0x80 | ((code >> 6) & 0x3F));
    append(0x80 | (code & 0x3F));
  }
}

bool IsUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    if (!character.valid) return false;
    at += character.length;
  }
  return true;
}

std::string ToValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    AppendUtf8(character.code, valid);
    at += character.length;
  }
  return valid;
}

}  // namespace keylens
