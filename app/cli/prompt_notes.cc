#include "app/cli/prompt_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/base/utf8.h"

namespace keylens::cli {
namespace {

constexpr std::size_t kMostShown = 40;  // characters of a text
constexpr std::size_t kMostWords = 8;

// Where each character begins, and the end.
std::vector<std::size_t> CharactersOf(std::string_view text) {
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size(); at += DecodeUtf8(text, at).length)
    begins.push_back(at);
  begins.push_back(text.size());
  return begins;
}

// A line stays one.
std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
      ' ');
  return line;
}

std::string Start(std::string_view text) {
  const std::vector<std::size_t> begins = CharactersOf(text);
  if (begins.size() <= kMostShown + 1) return OneLine(text);
  return OneLine(text.substr(0, begins[kMostShown])) + "...";
}

std::string End(std::string_view text) {
  const std::vector<std::size_t> begins = CharactersOf(text);
  if (begins.size() <= kMostShown + 1) return OneLine(text);
  return "..." + OneLine(text.substr(begins[begins.size() - 1 - kMostShown]));
}

// "(red:1.3)" and "[red]", as other programs write how much a word matters.
bool LooksWeighted(std::string_view word) {
  return word.find_first_of("([") != std::string_view::npos ||
         word.find_first_of(")]") != std::string_view::npos;
}

}  // namespace

std::string CutNote(const generator::TokenizedPrompt& prompt) {
  if (!prompt.cut()) return "";
  const std::string_view text = prompt.text;
  return fmt::format(
      "the prompt is longer than the model reads; it is cut here: \"{} | {}\"",
      End(text.substr(0, prompt.read_bytes)),
      Start(text.substr(prompt.read_bytes)));
}

std::string UnknownNote(const generator::TokenizedPrompt& prompt,
                        const generator::TokenizedPrompt& negative) {
  std::vector<std::string> words = generator::UnknownWords(prompt);
  std::ranges::copy(generator::UnknownWords(negative),
                    std::back_inserter(words));
  if (words.empty()) return "";
  std::string list;
  for (std::size_t i = 0; i < std::min(words.size(), kMostWords); ++i)
    list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", Start(words[i]));
  if (words.size() > kMostWords)
    list += fmt::format(" and {} more", words.size() - kMostWords);
  const bool weighted = std::ranges::any_of(words, LooksWeighted);
  return fmt::format("the model does not know {}; say it in plain words{}",
                     list,
                     weighted ? " (weights in brackets are not read)" : "");
}

}  // namespace keylens::cli
