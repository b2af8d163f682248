#include "src/render/report/printable_text.h"

#include <cstddef>

#include "src/base/utf8.h"

namespace keylens {
namespace {

// C0, DEL, C1, and the two line ends that Unicode added.
bool IsControl(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 ||
         code == 0x2029;
}

// Embeddings, overrides and isolates; the marks LRM and RLM are harmless.
bool IsDirectionControl(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool IsNoncharacter(char32_t code) {
  return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

}  // namespace

std::string PrintableText(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    at += character.length;
    if (IsDirectionControl(character.code)) continue;
    if (IsControl(character.code)) {
      printable += ' ';
    } else {
      AppendUtf8(IsNoncharacter(character.code) ? kReplacementCharacter
                                                : character.code,
                 printable);
    }
  }
  return printable;
}

}  // namespace keylens
