#include "systems/translator/lines/capitals.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "systems/translator/text/text_words.h"

namespace keylens::translator {
namespace {

constexpr int kFewestLetters = 4;

constexpr char32_t kSharpS = 0xDF;  // has no capital in common use

bool Overlaps(TextRange range, std::span<const TextRange> others) {
  return std::any_of(others.begin(), others.end(), [&](TextRange other) {
    return range.begin < other.end && other.begin < range.end;
  });
}

// How many letters there are, if all are capitals; else 0.
int CapitalsOf(std::string_view text, std::span<const TextRange> words) {
  int capitals = 0;
  for (const PlacedCharacter& c : CharactersOf(text)) {
    if (c.code == kSharpS || Overlaps({c.begin, c.end}, words)) continue;
    if (IsLower(c.code)) return 0;
    capitals += IsUpper(c.code) ? 1 : 0;
  }
  return capitals;
}

// How the vocabulary spells a word: in few pieces if it knows it, and pieces
// that are more frequent have the smaller ids.
struct Spelling {
  std::size_t pieces = 0;
  int64_t ids = 0;

  auto operator<=>(const Spelling&) const = default;
};

Spelling SpellingOf(const Tokenizer& tokenizer, std::string_view word) {
  Spelling spelling;
  for (const TextPiece& piece : tokenizer.Encode(word)) {
    ++spelling.pieces;
    spelling.ids += piece.id;
  }
  return spelling;
}

std::string BestForm(std::string_view word, const Tokenizer& tokenizer,
                     const LanguageRules& rules) {
  std::string best(word);
  Spelling least = SpellingOf(tokenizer, best);
  for (const std::string& small : rules.SmallForms(word)) {
    for (std::string form : {small, WithCapitalInitial(small)}) {
      const Spelling spelling = SpellingOf(tokenizer, form);
      if (spelling < least) {
        least = spelling;
        best = std::move(form);
      }
    }
  }
  return best;
}

}  // namespace

Recased RecasedCapitals(std::string_view text, std::span<const TextRange> words,
                        const Tokenizer& tokenizer,
                        const LanguageRules& rules) {
  Recased recased;
  recased.all = CapitalsOf(text, words) >= kFewestLetters;
  bool first = true;
  for (const TextRange& range : TextWords(text)) {
    const bool begins = std::exchange(first, false);
    const std::string_view word = range.In(text);
    if (Overlaps(range, words)) continue;
    const int capitals = CapitalsOf(word, {});
    if (capitals < (recased.all ? 1 : kFewestLetters)) continue;
    std::string form = BestForm(word, tokenizer, rules);
    if (!recased.all && SpellingOf(tokenizer, form).pieces > 1) continue;
    if (begins) form = WithCapitalInitial(form);
    if (form != word) recased.edits.push_back({range, std::move(form)});
  }
  return recased;
}

std::string InCapitals(std::string_view text, std::span<const TextRange> kept) {
  std::string capitals;
  for (const PlacedCharacter& c : CharactersOf(text)) {
    const TextRange range = {c.begin, c.end};
    capitals += Overlaps(range, kept) ? std::string(range.In(text))
                                      : WithCapitalInitial(range.In(text));
  }
  return capitals;
}

}  // namespace keylens::translator
