#include "languages/german_english/corpus/language_check.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

using Words = std::unordered_set<std::string_view>;

// Words that are frequent in one language and no word of the other.
const Words& GermanFunctionWords() {
  static const Words words = {
      "aber",  "als",     "auch",   "auf",   "aus",   "bei",   "bin",
      "bist",  "das",     "dass",   "dein",  "deine", "dem",   "der",
      "dich",  "dir",     "doch",   "du",    "durch", "ein",   "eine",
      "einem", "einen",   "einer",  "eines", "er",    "es",    "euch",
      "für",   "haben",   "habe",   "hast",  "ich",   "ihm",   "ihn",
      "ihr",   "ihre",    "ihren",  "im",    "ist",   "jetzt", "kann",
      "kein",  "keine",   "mein",   "meine", "mich",  "mir",   "mit",
      "nach",  "nicht",   "nichts", "noch",  "nur",   "oder",  "seid",
      "sein",  "seine",   "sich",   "sie",   "sind",  "über",  "um",
      "und",   "uns",     "unser",  "von",   "vom",   "waren", "warum",
      "wenn",  "werden",  "wird",   "wir",   "wurde", "zu",    "zum",
      "zur",   "zwischen"};
  return words;
}

const Words& EnglishFunctionWords() {
  static const Words words = {
      "a",     "and",  "are",   "at",    "be",    "been",  "but",   "by",
      "can't", "did",  "do",    "does",  "don't", "for",   "from",  "had",
      "has",   "have", "he",    "her",   "him",   "his",   "how",   "i",
      "i'm",   "if",   "is",    "isn't", "it",    "it's",  "its",   "me",
      "my",    "no",   "not",   "of",    "on",    "or",    "our",   "out",
      "she",   "that", "the",   "their", "them",  "there", "these", "they",
      "this",  "to",   "us",    "we",    "what",  "when",  "where", "which",
      "who",   "with", "would", "you",   "your"};
  return words;
}

int CountWords(const std::vector<std::string>& text, const Words& words) {
  return static_cast<int>(std::ranges::count_if(
      text, [&](const std::string& word) { return words.contains(word); }));
}

bool HasGermanLetter(std::string_view word) {
  for (const std::string_view letter : {"ä", "ö", "ü", "ß"}) {
    if (word.find(letter) != std::string_view::npos) return true;
  }
  return false;
}

// Whether the German text has the word, or "Müllers" for "Müller's".
bool IsInGerman(const std::string& word,
                const std::vector<std::string>& german) {
  const std::string stem = word.substr(0, word.find('\''));
  return std::ranges::any_of(german, [&](const std::string& other) {
    return other.starts_with(stem);
  });
}

}  // namespace

bool IsInWrongLanguage(const Pair& pair) {
  const auto english = FoldedWords(pair.english);
  const auto german = FoldedWords(pair.german);
  int german_in_english = CountWords(english, GermanFunctionWords());
  for (const std::string& word : english) {
    german_in_english +=
        HasGermanLetter(word) && !IsInGerman(word, german) ? 1 : 0;
  }
  const int english_in_german = CountWords(german, EnglishFunctionWords());
  return german_in_english > CountWords(english, EnglishFunctionWords()) ||
         english_in_german > CountWords(german, GermanFunctionWords());
}

bool LooksLikeName(std::string_view text) {
  for (const std::string& word : SplitAndTrim(text, " ")) {
    const bool digit = !word.empty() && word[0] >= '0' && word[0] <= '9';
    if (!digit && !StartsUppercase(word)) return false;
  }
  return true;
}

}  // namespace keylens::german_english
