#include "languages/german_english/corpus/ding_choices.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

constexpr size_t kMaxPairs = 8;

using Words = std::vector<std::string>;
using StandIns = std::unordered_map<std::string_view, std::string_view>;

const StandIns& GermanStandIns() {
  static const StandIns stand_ins = {
      {"etw.", "etwas"},     {"jd.", "jemand"},     {"jdn.", "jemanden"},
      {"jdm.", "jemandem"},  {"jds.", "jemandes"},  {"jmd.", "jemand"},
      {"jmdn.", "jemanden"}, {"jmdm.", "jemandem"}, {"jmds.", "jemandes"}};
  return stand_ins;
}

const StandIns& EnglishStandIns() {
  static const StandIns stand_ins = {
      {"sb.", "somebody"},   {"sb.'s", "somebody's"},
      {"sth.", "something"}, {"sth.'s", "something's"},
      {"so.", "somebody"},   {"so.'s", "somebody's"},
      {"s.o.", "somebody"},  {"s.o.'s", "somebody's"}};
  return stand_ins;
}

Words SplitWords(std::string_view text) { return SplitAndTrim(text, " "); }

std::string Join(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

bool IsChoice(const std::string& word) {
  return word.find('/') != std::string::npos;
}

// Where a text leaves a choice, and between what.
struct Choice {
  size_t at;  // index of the word
  Words words;
};

std::vector<Choice> FindChoices(const Words& words) {
  std::vector<Choice> choices;
  for (size_t i = 0; i < words.size(); ++i) {
    if (IsChoice(words[i])) choices.push_back({i, SplitAndTrim(words[i], "/")});
  }
  return choices;
}

// "und/ oder", and "Internet/Online-Tagebuch", whose choice is between parts of
// a word.
bool IsUnclear(const std::vector<Choice>& choices) {
  return std::ranges::any_of(choices, [](const Choice& choice) {
    return std::ranges::any_of(choice.words, [](const std::string& word) {
      return word.empty() || word.find('-') != word.npos;
    });
  });
}

bool OfferAsMany(const std::vector<Choice>& one,
                 const std::vector<Choice>& other) {
  return std::ranges::equal(one, other, [](const Choice& a, const Choice& b) {
    return a.words.size() == b.words.size();
  });
}

// Every way to choose; `english` is empty, or offers as many as `german`.
std::vector<Pair> ChooseAll(const Pair& terms,
                            const std::vector<Choice>& german,
                            const std::vector<Choice>& english) {
  struct Texts {
    Words english, german;
  };
  std::vector<Texts> all = {
      {SplitWords(terms.english), SplitWords(terms.german)}};
  for (size_t c = 0; c < german.size(); ++c) {
    std::vector<Texts> more;
    for (const Texts& texts : all) {
      for (size_t i = 0; i < german[c].words.size(); ++i) {
        more.push_back(texts);
        more.back().german[german[c].at] = german[c].words[i];
        if (!english.empty()) {
          more.back().english[english[c].at] = english[c].words[i];
        }
      }
    }
    if (more.size() > kMaxPairs) return {};
    all = std::move(more);
  }
  std::vector<Pair> pairs;
  pairs.reserve(all.size());
  for (const Texts& texts : all) {
    pairs.push_back({Join(texts.english), Join(texts.german)});
  }
  return pairs;
}

int CountStandIns(const Words& words, const StandIns& stand_ins) {
  return static_cast<int>(std::ranges::count_if(
      words,
      [&](const std::string& word) { return stand_ins.contains(word); }));
}

// Leaves the objects out: those that come first in German and last in English,
// when there are no other, and as many.
void DropObjects(Words& english, Words& german) {
  const auto is_german = [](const std::string& word) {
    return GermanStandIns().contains(word);
  };
  const auto is_english = [](const std::string& word) {
    return EnglishStandIns().contains(word);
  };
  const auto objects_end = std::ranges::find_if_not(german, is_german);
  const auto last_word =
      std::find_if_not(english.rbegin(), english.rend(), is_english);
  const auto objects = objects_end - german.begin();
  if (objects != last_word - english.rbegin() ||
      objects != CountStandIns(german, GermanStandIns()) ||
      objects != CountStandIns(english, EnglishStandIns()) ||
      objects_end == german.end() || last_word == english.rend()) {
    return;
  }
  german.erase(german.begin(), objects_end);
  english.erase(last_word.base(), english.end());
}

void WriteOut(Words& words, const StandIns& stand_ins) {
  for (std::string& word : words) {
    // The word may end with a comma, "etw.,".
    std::string_view bare = word;
    if (bare.ends_with(',')) bare.remove_suffix(1);
    const auto found = stand_ins.find(bare);
    if (found == stand_ins.end()) continue;
    word = std::string(found->second) + (bare.size() < word.size() ? "," : "");
  }
}

Pair WithoutStandIns(const Pair& pair) {
  Words english = SplitWords(pair.english), german = SplitWords(pair.german);
  DropObjects(english, german);
  WriteOut(english, EnglishStandIns());
  WriteOut(german, GermanStandIns());
  return {Join(english), Join(german)};
}

}  // namespace

std::vector<Pair> ExpandChoices(const Pair& terms) {
  const auto german = FindChoices(SplitWords(terms.german));
  const auto english = FindChoices(SplitWords(terms.english));
  if (IsUnclear(german) || IsUnclear(english)) return {};
  if (!english.empty() && !OfferAsMany(english, german)) return {};
  std::vector<Pair> pairs;
  for (const Pair& pair : ChooseAll(terms, german, english)) {
    pairs.push_back(WithoutStandIns(pair));
  }
  return pairs;
}

}  // namespace keylens::german_english
