#include "languages/german_english/corpus/evidence.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

bool IsArticle(std::string_view word) {
  for (const std::string_view article :
       {"a", "an", "the", "to", "der", "die", "das", "ein", "eine"}) {
    if (word == article) return true;
  }
  return false;
}

std::vector<std::string> ContentWords(std::vector<std::string> words) {
  std::erase_if(words, IsArticle);
  return words;
}

// The words of a German sentence. Case tells "laden" from "Laden", but not at
// the start of a sentence: that word stands in both forms.
std::vector<std::string> GermanWords(const std::string& sentence) {
  std::vector<std::string> words = Words(sentence);
  if (!words.empty()) {
    const auto folded = FoldedWords(words.front());
    words.insert(words.end(), folded.begin(), folded.end());
  }
  return ContentWords(std::move(words));
}

}  // namespace

Evidence::Evidence(std::span<const Pair> sentences) {
  const auto add = [](std::vector<std::string> words, int32_t sentence,
                      Index& index) {
    for (std::string& word : words) {
      Sentences& found = index[std::move(word)];
      if (found.empty() || found.back() != sentence) found.push_back(sentence);
    }
  };
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto number = static_cast<int32_t>(i);
    add(ContentWords(FoldedWords(sentences[i].english)), number, english_);
    add(GermanWords(sentences[i].german), number, german_);
  }
}

Evidence::Sentences Evidence::Find(const Index& index,
                                   const std::vector<std::string>& words) {
  Sentences common;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto found = index.find(words[i]);
    if (found == index.end()) return {};
    if (i == 0) {
      common = found->second;
      continue;
    }
    Sentences both;
    std::ranges::set_intersection(common, found->second,
                                  std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

double Evidence::Association(const Pair& terms) const {
  const Sentences german = Find(german_, ContentWords(Words(terms.german)));
  if (german.size() < 2) return 0;
  const Sentences english =
      Find(english_, ContentWords(FoldedWords(terms.english)));
  Sentences both;
  std::ranges::set_intersection(german, english, std::back_inserter(both));
  if (both.size() < 2) return 0;
  return 2.0 * static_cast<double>(both.size()) /
         static_cast<double>(german.size() + english.size());
}

int64_t Evidence::CountRarest(const Index& index,
                              std::vector<std::string> words) {
  int64_t rarest = -1;
  for (const std::string& word : ContentWords(std::move(words))) {
    const auto found = index.find(word);
    if (found == index.end()) return 0;
    const auto count = static_cast<int64_t>(found->second.size());
    if (rarest < 0 || count < rarest) rarest = count;
  }
  return std::max<int64_t>(rarest, 0);
}

int64_t Evidence::CountEnglish(const std::string& text) const {
  return CountRarest(english_, FoldedWords(text));
}

int64_t Evidence::CountGerman(const std::string& text) const {
  return CountRarest(german_, Words(text));
}

}  // namespace keylens::german_english
