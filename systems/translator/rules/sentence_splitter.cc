#include "systems/translator/rules/sentence_splitter.h"

#include <algorithm>
#include <cstddef>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr char32_t kEllipsis = 0x2026;
constexpr std::size_t kLongestTag = 64;

bool IsTerminator(char32_t code) {
  return code == '.' || code == '!' || code == '?' || code == kEllipsis;
}

// What may close after the end of a sentence; U+201C closes in German.
bool IsCloser(char32_t code) {
  return code == '*' || code == '_' || code == '`' || code == '~' ||
         code == '"' || code == '\'' || code == ')' || code == ']' ||
         code == 0xAB || code == 0xBB || code == 0x2018 || code == 0x2019 ||
         code == 0x201C || code == 0x201D || code == 0x203A;
}

class Splitter {
 public:
  Splitter(std::string_view text, const PointRules& rules)
      : text_(text), rules_(rules), characters_(CharactersOf(text)) {}

  std::vector<TextRange> Run() {
    std::vector<TextRange> sentences;
    std::size_t begin = SkipSpace(0);
    for (std::size_t i = begin; i < characters_.size();) {
      if (!IsTerminator(characters_[i].code)) {
        ++i;
        continue;
      }
      const std::size_t end = EndOfMarks(i);
      const std::size_t next = SkipSpace(end);
      if (next < characters_.size() && next > end && EndsAt(i, end, next)) {
        sentences.push_back(Range(begin, end));
        begin = next;
      }
      i = std::max(next, i + 1);
    }
    if (begin < characters_.size())
      sentences.push_back(Range(begin, TrimmedEnd()));
    return sentences;
  }

 private:
  TextRange Range(std::size_t first, std::size_t last) const {
    return {characters_[first].begin, characters_[last - 1].end};
  }

  std::size_t SkipSpace(std::size_t i) const {
    while (i < characters_.size() && IsWhiteSpace(characters_[i].code)) ++i;
    return i;
  }

  std::size_t TrimmedEnd() const {
    std::size_t end = characters_.size();
    while (end > 0 && IsWhiteSpace(characters_[end - 1].code)) --end;
    return end;
  }

  std::size_t EndOfMarks(std::size_t i) const {
    while (i < characters_.size() && IsTerminator(characters_[i].code)) ++i;
    while (i < characters_.size()) {
      const std::size_t next = EndOfCloser(i);
      if (next == i) break;
      i = next;
    }
    return i;
  }

  // Behind the mark, or the closing tag, that begins at character i.
  std::size_t EndOfCloser(std::size_t i) const {
    if (IsCloser(characters_[i].code)) return i + 1;
    const std::string_view rest = text_.substr(characters_[i].begin);
    const std::size_t end = rest.find('>');
    if (!rest.starts_with("</") || end > kLongestTag) return i;
    return i + CharactersOf(rest.substr(0, end + 1)).size();
  }

  // The word that begins at character i, and the one that ends before it.
  std::string_view WordAt(std::size_t i) const {
    std::size_t end = i;
    while (end < characters_.size() && !IsWhiteSpace(characters_[end].code) &&
           !IsPunctuation(characters_[end].code)) {
      ++end;
    }
    return end == i ? std::string_view() : Range(i, end).In(text_);
  }
  std::string_view WordBefore(std::size_t i) const {
    std::size_t begin = i;
    while (begin > 0 && !IsWhiteSpace(characters_[begin - 1].code) &&
           !IsPunctuation(characters_[begin - 1].code)) {
      --begin;
    }
    return begin == i ? std::string_view() : Range(begin, i).In(text_);
  }

  // Whether the marks [mark, end) end a sentence, given that `next` begins what
  // follows.
  bool EndsAt(std::size_t mark, std::size_t end, std::size_t next) const {
    if (IsLower(characters_[next].code)) return false;
    const bool single_point = characters_[mark].code == '.' && end == mark + 1;
    if (!single_point || !rules_.IsAmbiguous(WordBefore(mark))) return true;
    return rules_.BeginsSentence(WordAt(next));
  }

  std::string_view text_;
  const PointRules& rules_;
  std::vector<PlacedCharacter> characters_;
};

}  // namespace

std::vector<TextRange> SplitSentences(std::string_view text,
                                      const PointRules& rules) {
  return Splitter(text, rules).Run();
}

}  // namespace keylens::translator
