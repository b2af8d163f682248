#include "languages/german_english/corpus/plain_text.h"

#include <glib.h>

#include <memory>

#include "src/base/utf8.h"

namespace keylens::german_english {
namespace {

struct FreeGlib {
  void operator()(gchar* text) const { g_free(text); }
};
using GlibText = std::unique_ptr<gchar, FreeGlib>;

GlibText Nfc(std::string_view valid) {
  return GlibText(g_utf8_normalize(valid.data(),
                                   static_cast<gssize>(valid.size()),
                                   G_NORMALIZE_DEFAULT_COMPOSE));
}

std::string Casefold(std::string_view text) {
  const std::string valid = ToValidUtf8(text);
  const GlibText folded(
      g_utf8_casefold(valid.data(), static_cast<gssize>(valid.size())));
  return Nfc(folded.get()).get();
}

// Characters that say nothing: soft hyphen, zero-width space and joiners, marks
// of direction, byte-order mark.
bool IsInvisible(char32_t code) {
  return code == 0xAD || (code >= 0x200B && code <= 0x200F) || code == 0xFEFF;
}

// What the character is written as; null where it stays.
const char* PlainForm(char32_t code) {
  switch (code) {
    case U'‘':
    case U'’':
    case U'‚':
    case U'‹':
    case U'›':
    case U'´':
    case U'`':
    case U'ʼ':
      return "'";
    case U'“':
    case U'”':
    case U'„':
    case U'«':
    case U'»':
      return "\"";
    case U'…':
      return "...";
    case U'‑':  // non-breaking hyphen
      return "-";
    case U'—':
      return "–";
    default:
      return nullptr;
  }
}

bool IsSpace(char32_t code) {
  return g_unichar_isspace(code) || code == 0x2028 || code == 0x2029;
}

bool TakesNoSpaceBefore(char32_t code) { return code == ',' || code == ';'; }

}  // namespace

std::string ToPlainText(std::string_view text) {
  const std::string valid = ToValidUtf8(text);
  const GlibText composed = Nfc(valid);
  const std::string_view rest = composed.get();
  std::string plain;
  bool space = false;
  for (size_t at = 0; at < rest.size();) {
    const Utf8Character character = DecodeUtf8(rest, at);
    at += character.length;
    if (IsInvisible(character.code)) continue;
    if (IsSpace(character.code)) {
      space = true;
      continue;
    }
    if (space && !plain.empty() && !TakesNoSpaceBefore(character.code)) {
      plain += ' ';
    }
    space = false;
    if (const char* form = PlainForm(character.code)) {
      plain += form;
    } else {
      AppendUtf8(character.code, plain);
    }
  }
  // What stood around an invisible character may belong together.
  return Nfc(plain).get();
}

std::string ClusterKey(std::string_view text) {
  const std::string folded = Casefold(text);
  std::string key;
  for (size_t at = 0; at < folded.size();) {
    const Utf8Character character = DecodeUtf8(folded, at);
    at += character.length;
    if (g_unichar_isalnum(character.code)) AppendUtf8(character.code, key);
  }
  return key;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    at += character.length;
    if (g_unichar_isalnum(character.code) ||
        (character.code == '\'' && !word.empty())) {
      AppendUtf8(character.code, word);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> FoldedWords(std::string_view text) {
  return Words(Casefold(text));
}

std::vector<std::string> SplitAndTrim(std::string_view text,
                                      std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t found = text.find(separator);
    parts.emplace_back(Trimmed(text.substr(0, found)));
    if (found == std::string_view::npos) return parts;
    text.remove_prefix(found + separator.size());
  }
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string ReplaceAll(std::string text, std::string_view from,
                       std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

int CountCharacters(std::string_view text) {
  int count = 0;
  for (size_t at = 0; at < text.size(); ++count) {
    at += DecodeUtf8(text, at).length;
  }
  return count;
}

bool StartsUppercase(std::string_view text) {
  return !text.empty() && g_unichar_isupper(DecodeUtf8(text, 0).code);
}

}  // namespace keylens::german_english
