#include "systems/generator/emoji/emoji_list.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "src/base/error.h"
#include "src/base/utf8.h"

namespace keylens {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The rest of `line` after `prefix`; nothing when it starts otherwise.
std::optional<std::string_view> After(std::string_view line,
                                      std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return Trim(line.substr(prefix.size()));
}

// "1F469 200D 1F692" as code points; empty when it is something else.
std::u32string ParseCodePoints(std::string_view text) {
  std::u32string sequence;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(word.data(), word.data() + word.size(), code, 16);
    if (error != std::errc() || end != word.data() + word.size()) return {};
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
    sequence.push_back(code);
    text = Trim(text.substr(word.size()));
  }
  return sequence;
}

// "🙂 E1.0 slightly smiling face" without its first two words.
std::string_view NameInComment(std::string_view comment) {
  for (int word = 0; word < 2; ++word) {
    const size_t space = comment.find(' ');
    if (space == std::string_view::npos) return {};
    comment = Trim(comment.substr(space));
  }
  return comment;
}

// A line such as "1F642 ; fully-qualified # 🙂 E1.0 slightly smiling face".
// `qualified` tells whether the emoji is fully qualified; nothing when the line
// has another format.
std::optional<Emoji> ParseLine(std::string_view line, bool* qualified) {
  const size_t semicolon = line.find(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  const size_t hash = line.find('#', semicolon);
  if (hash == std::string_view::npos) return std::nullopt;
  Emoji emoji;
  emoji.sequence = ParseCodePoints(Trim(line.substr(0, semicolon)));
  emoji.name = NameInComment(Trim(line.substr(hash + 1)));
  *qualified = Trim(line.substr(semicolon + 1, hash - semicolon - 1)) ==
               "fully-qualified";
  if (emoji.sequence.empty() || emoji.name.empty()) return std::nullopt;
  return emoji;
}

}  // namespace

std::vector<Emoji> ParseEmojiList(std::string_view text,
                                  const std::string& file_name) {
  std::vector<Emoji> list;
  std::string group, subgroup;
  for (int number = 1; !text.empty(); ++number) {
    const size_t length = text.find('\n');
    const std::string_view line = Trim(text.substr(0, length));
    text.remove_prefix(length == std::string_view::npos ? text.size()
                                                        : length + 1);
    if (const auto new_group = After(line, "# group:")) group = *new_group;
    if (const auto name = After(line, "# subgroup:")) subgroup = *name;
    if (line.empty() || line.front() == '#') continue;
    bool qualified = false;
    std::optional<Emoji> emoji = ParseLine(line, &qualified);
    if (!emoji) {
      throw Error(fmt::format(
          "{}: line {} is not \"code points; status # emoji version name\"",
          file_name, number));
    }
    if (!qualified) continue;
    emoji->group = group;
    emoji->subgroup = subgroup;
    list.push_back(*std::move(emoji));
  }
  if (list.empty()) throw Error(file_name + ": there is no emoji in it");
  return list;
}

std::string ToUtf8(std::u32string_view sequence) {
  std::string utf8;
  for (const char32_t code : sequence) AppendUtf8(code, utf8);
  return utf8;
}

std::u32string WithoutVariationSelectors(std::u32string_view sequence) {
  std::u32string kept(sequence);
  std::erase(kept, U'\uFE0F');
  return kept;
}

}  // namespace keylens
