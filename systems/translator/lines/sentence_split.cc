#include "systems/translator/lines/sentence_split.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr char32_t kEllipsis = 0x2026;

// Abbreviations after which a sentence goes on, or seldom ends; without their
// point. Those of one letter are not listed: every single letter counts.
constexpr std::string_view kAbbreviations[] = {
    "Abb", "Abs",  "Art",  "Aufl", "Bd",   "Chr",  "Co",  "Dipl", "Dr",
    "Fr",  "Frl",  "Hr",   "Hrn",  "Hrsg", "Ing",  "Jh",  "Kap",  "Mio",
    "Mrd", "Mr",   "Mrs",  "Nr",   "Pf",   "Prof", "Sr",  "St",   "Std",
    "Str", "Tel",  "Tsd",  "bes",  "bzw",  "ca",   "dgl", "ehem", "einschl",
    "etc", "evtl", "gest", "ggf",  "inkl", "max",  "min", "mind", "od",
    "sog", "spez", "u",    "usw",  "vgl",  "zw",   "zzgl"};

// Words that are no names and no nouns: with a capital, they begin a sentence.
constexpr std::string_view kBeginners[] = {
    "Aber",  "Alle",       "Alles", "Als",   "Am",    "An",     "Auch",
    "Auf",   "Aus",        "Bei",   "Beim",  "Bis",   "Bitte",  "Da",
    "Dabei", "Danach",     "Dann",  "Das",   "Dein",  "Deine",  "Denn",
    "Der",   "Deshalb",    "Die",   "Dies",  "Diese", "Dieser", "Dieses",
    "Doch",  "Dort",       "Du",    "Durch", "Ein",   "Eine",   "Einen",
    "Er",    "Es",         "Euer",  "Für",   "Hat",   "Heute",  "Hier",
    "Ich",   "Ihr",        "Ihre",  "Im",    "In",    "Ist",    "Ja",
    "Jetzt", "Kann",       "Kein",  "Keine", "Man",   "Mein",   "Meine",
    "Mit",   "Morgen",     "Nach",  "Nein",  "Nicht", "Nun",    "Nur",
    "Oder",  "Sein",       "Seine", "Seit",  "Sie",   "So",     "Und",
    "Unser", "Vielleicht", "Vom",   "Von",   "Vor",   "Warum",  "Was",
    "Weil"};
constexpr std::string_view kMoreBeginners[] = {
    "Wann",  "Wenn", "Wer", "Wie", "Wir",  "Wo",    "Woher",
    "Wohin", "Zu",   "Zum", "Zur", "Über", "Dafür", "Gestern"};

template <typename Words>
bool Contains(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool IsTerminator(char32_t code) {
  return code == '.' || code == '!' || code == '?' || code == kEllipsis;
}

// What may close after the end of a sentence; U+201C closes in German.
bool IsCloser(char32_t code) {
  return code == '"' || code == '\'' || code == ')' || code == ']' ||
         code == 0xAB || code == 0xBB || code == 0x2018 || code == 0x2019 ||
         code == 0x201C || code == 0x201D || code == 0x203A;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text)
      : text_(text), characters_(CharactersOf(text)) {}

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
    while (i < characters_.size() && IsCloser(characters_[i].code)) ++i;
    return i;
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
    if (!single_point || !IsAmbiguous(WordBefore(mark))) return true;
    const std::string_view word = WordAt(next);
    return Contains(kBeginners, word) || Contains(kMoreBeginners, word);
  }

  // Whether a point after `word` need not be a full stop.
  static bool IsAmbiguous(std::string_view word) {
    if (Contains(kAbbreviations, word)) return true;
    const auto characters = CharactersOf(word);
    if (characters.size() == 1) return true;  // an initial, "z. B.", "3."
    return characters.size() == 2 && IsAsciiDigit(characters[0].code) &&
           IsAsciiDigit(characters[1].code);
  }

  std::string_view text_;
  std::vector<PlacedCharacter> characters_;
};

}  // namespace

std::vector<TextRange> SplitSentences(std::string_view text) {
  return Splitter(text).Run();
}

}  // namespace keylens::translator
