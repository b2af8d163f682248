#include "systems/translator/lines/marks.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kLongestTag = 300;

// What opens, and what may close it. Languages use the same quotes in different
// ways.
struct Pairing {
  char32_t open;
  std::u32string_view close;
  MarkKind kind;
};
constexpr Pairing kPairings[] = {
    {'(', U")", MarkKind::kBracket},
    {'[', U"]", MarkKind::kBracket},
    {'"', U"\"", MarkKind::kQuote},
    {'\'', U"'", MarkKind::kQuote},
    {0x201E, U"\u201C\u201D\"", MarkKind::kQuote},  // „ “ ”
    {0x201A, U"\u2018\u2019'", MarkKind::kQuote},   // ‚ ‘ ’
    {0x201C, U"\u201D\u201C", MarkKind::kQuote},    // “ ”
    {0x201D, U"\u201D", MarkKind::kQuote},          // ” ”
    {0x2018, U"\u2019\u2018", MarkKind::kQuote},    // ‘ ’
    {0x00BB, U"\u00AB\u00BB", MarkKind::kQuote},    // » «
    {0x00AB, U"\u00BB", MarkKind::kQuote},          // « »
    {0x203A, U"\u2039\u203A", MarkKind::kQuote},    // › ‹
    {0x2039, U"\u203A", MarkKind::kQuote},          // ‹ ›
    {0x300C, U"\u300D", MarkKind::kQuote},          // 「 」
    {0x300E, U"\u300F", MarkKind::kQuote},          // 『 』
};

const Pairing* PairingOf(char32_t open) {
  const auto* found = std::find_if(
      std::begin(kPairings), std::end(kPairings),
      [&](const Pairing& pairing) { return pairing.open == open; });
  return found == std::end(kPairings) ? nullptr : found;
}

bool IsEmphasis(char32_t code) {
  return code == '*' || code == '_' || code == '`' || code == '~';
}

// A mark that may have its other half elsewhere.
struct Mark {
  MarkKind kind = MarkKind::kQuote;
  TextRange range;
  std::string name;  // of markup: what both halves share
  char32_t code = 0;
};

bool IsAsciiAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

std::size_t TagLength(std::string_view text) {
  if (text.size() < 3 || text[0] != '<') return 0;
  const std::size_t name = text[1] == '/' ? 2 : 1;
  if (!IsAsciiAlphanumeric(text[name])) return 0;
  const std::size_t end = text.find_first_of("<>", 1);
  return end < kLongestTag && text[end] == '>' ? end + 1 : 0;
}

// Of "](address)".
std::size_t LinkEndLength(std::string_view text) {
  if (!text.starts_with("](")) return 0;
  const std::size_t end = text.find_first_of(" )");
  return end < kLongestTag && text[end] == ')' ? end + 1 : 0;
}

std::string TagName(std::string_view tag) {
  const std::size_t begin = tag.starts_with("</") ? 2 : 1;
  std::size_t end = begin;
  while (end < tag.size() && IsAsciiAlphanumeric(tag[end])) ++end;
  std::string name(1, '<');
  name += tag.substr(begin, end - begin);
  return name;
}

class MarkFinder {
 public:
  MarkFinder(std::string_view text, std::span<const TextRange> tags,
             std::span<const TextRange> words)
      : text_(text),
        tags_(tags),
        words_(words),
        characters_(CharactersOf(text)) {}

  std::vector<MarkPair> Run() {
    for (std::size_t i = 0; i < characters_.size();) i = TakeAt(i);
    std::sort(pairs_.begin(), pairs_.end(),
              [](const MarkPair& a, const MarkPair& b) {
                return a.open.begin < b.open.begin;
              });
    return std::move(pairs_);
  }

 private:
  // Reads what begins at character i; the character behind it.
  std::size_t TakeAt(std::size_t i) {
    const std::size_t at = characters_[i].begin;
    if (const TextRange* tag = RangeAt(tags_, at)) {
      TakeTag(*tag);
      return Behind(i, tag->end);
    }
    if (const TextRange* word = RangeAt(words_, at))
      return Behind(i, word->end);
    const char32_t code = characters_[i].code;
    if (IsEmphasis(code)) return TakeEmphasis(i);
    const TextRange range = {at, characters_[i].end};
    if (MayEnd(i) && CloseBy(code, range)) return i + 1;
    const Pairing* pairing = PairingOf(code);
    if (pairing != nullptr && MayBegin(i + 1, i, code))
      open_.push_back({pairing->kind, range, "", code});
    return i + 1;
  }

  static const TextRange* RangeAt(std::span<const TextRange> ranges,
                                  std::size_t at) {
    for (const TextRange& range : ranges)
      if (range.begin == at && range.end > at) return &range;
    return nullptr;
  }

  std::size_t Behind(std::size_t i, std::size_t end) const {
    while (i < characters_.size() && characters_[i].begin < end) ++i;
    return i;
  }

  bool IsOuter(std::size_t i) const {
    const char32_t code = characters_[i].code;
    return IsWhiteSpace(code) || IsPunctuation(code) || code == '<' ||
           code == '>';
  }

  // Whether a mark before character `next`, behind `at`, may open.
  bool MayBegin(std::size_t next, std::size_t at, char32_t code) const {
    if (at > 0 && !IsOuter(at - 1)) return false;
    if (next >= characters_.size()) return false;
    // "« Oui »".
    const bool spaced = code == 0xAB || code == 0x201E;
    return spaced || !IsWhiteSpace(characters_[next].code);
  }

  bool MayEnd(std::size_t i) const {
    return i + 1 == characters_.size() || IsOuter(i + 1);
  }

  // Pairs the mark with the last one that it closes.
  bool CloseBy(char32_t code, TextRange range) {
    for (std::size_t k = open_.size(); k-- > 0;) {
      const Pairing* pairing = PairingOf(open_[k].code);
      if (pairing == nullptr || !open_[k].name.empty() ||
          pairing->close.find(code) == pairing->close.npos)
        continue;
      if (range.begin > open_[k].range.end) return Pair(k, range);
    }
    return false;
  }

  bool Pair(std::size_t k, TextRange close) {
    pairs_.push_back({open_[k].kind, open_[k].range, close});
    open_.resize(k);
    return true;
  }

  bool CloseNamed(const std::string& name, TextRange range) {
    for (std::size_t k = open_.size(); k-- > 0;)
      if (open_[k].name == name && range.begin > open_[k].range.end)
        return Pair(k, range);
    return false;
  }

  void TakeTag(TextRange tag) {
    const std::string_view text = tag.In(text_);
    if (text == "[") {
      open_.push_back({MarkKind::kMarkup, tag, "]", 0});
    } else if (text[0] == ']') {
      CloseNamed("]", tag);
    } else if (text.starts_with("</")) {
      CloseNamed(TagName(text), tag);
    } else if (!text.ends_with("/>")) {
      open_.push_back({MarkKind::kMarkup, tag, TagName(text), 0});
    }
  }

  // A run of one character is one mark.
  std::size_t TakeEmphasis(std::size_t i) {
    std::size_t end = i + 1;
    while (end < characters_.size() &&
           characters_[end].code == characters_[i].code)
      ++end;
    const TextRange range = {characters_[i].begin, characters_[end - 1].end};
    const std::string name(range.In(text_));
    const bool behind_text = i > 0 && !IsWhiteSpace(characters_[i - 1].code);
    if (behind_text && MayEnd(end - 1) && CloseNamed(name, range)) return end;
    if (MayBegin(end, i, 0))
      open_.push_back({MarkKind::kMarkup, range, name, 0});
    return end;
  }

  std::string_view text_;
  std::span<const TextRange> tags_, words_;
  std::vector<PlacedCharacter> characters_;
  std::vector<Mark> open_;
  std::vector<MarkPair> pairs_;
};

// The length of one marker at the beginning of a line; 0: none. White space
// must follow, but for Markdown's ">".
std::size_t OneMarkerLength(std::string_view line) {
  std::size_t end = 0;
  const auto take_all = [&](char c, std::size_t most) {
    while (end < line.size() && line[end] == c && end < most) ++end;
  };
  if (line.starts_with('#')) {
    take_all('#', 6);
  } else if (line.starts_with('>')) {
    take_all('>', line.size());
    return end;
  } else if (line.starts_with("[ ]") || line.starts_with("[x]") ||
             line.starts_with("[X]")) {
    end = 3;
  } else if (line.starts_with('*') || line.starts_with('+') ||
             line.starts_with('-')) {
    end = 1;
  } else {
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    if (end > 0 && end < 4 && line.substr(end).starts_with(')'))
      ++end;
    else
      end = 0;
    const auto characters = CharactersOf(line.substr(0, 4));
    if (!characters.empty()) {
      const char32_t code = characters[0].code;
      // Bullets, and the dashes of dialogues.
      if (code == 0x2022 || code == 0x2023 || code == 0x25E6 ||
          code == 0x2043 || code == 0xB7 || code == 0x2013 || code == 0x2014)
        end = characters[0].end;
    }
  }
  if (end == 0 || end >= line.size()) return 0;
  return IsWhiteSpace(CharactersOf(line.substr(end, 4)).front().code) ? end : 0;
}

}  // namespace

std::vector<TextRange> FindTags(std::string_view text) {
  std::vector<TextRange> tags;
  std::optional<std::size_t> bracket;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest[0] == '[') bracket = at;
    const std::size_t link = bracket ? LinkEndLength(rest) : 0;
    if (link > 0 && at > *bracket + 1) {
      tags.push_back({*bracket, *bracket + 1});
      tags.push_back({at, at + link});
      bracket.reset();
    }
    const std::size_t tag = TagLength(rest);
    if (tag > 0) tags.push_back({at, at + tag});
    at += std::max<std::size_t>({1, link, tag});
  }
  std::sort(tags.begin(), tags.end(),
            [](TextRange a, TextRange b) { return a.begin < b.begin; });
  return tags;
}

std::vector<MarkPair> FindMarks(std::string_view text,
                                std::span<const TextRange> tags,
                                std::span<const TextRange> words) {
  return MarkFinder(text, tags, words).Run();
}

std::size_t LineMarkerLength(std::string_view line) {
  std::size_t length = 0, spaced = 0;
  while (true) {
    const auto characters = CharactersOf(line.substr(spaced, 256));
    std::size_t space = 0;
    for (const PlacedCharacter& c : characters) {
      if (!IsWhiteSpace(c.code)) break;
      space = c.end;
    }
    spaced += space;
    const std::size_t marker = OneMarkerLength(line.substr(spaced));
    if (marker == 0) return length;
    length = spaced + marker;
    spaced = length;
  }
}

bool IsQuote(char32_t code) {
  return (MayOpen(code) || MayClose(code)) && code != '(' && code != ')' &&
         code != '[' && code != ']';
}

bool MayOpen(char32_t code) { return PairingOf(code) != nullptr; }

bool MayClose(char32_t code) {
  return std::any_of(std::begin(kPairings), std::end(kPairings),
                     [&](const Pairing& pairing) {
                       return pairing.close.find(code) != pairing.close.npos;
                     });
}

}  // namespace keylens::translator
