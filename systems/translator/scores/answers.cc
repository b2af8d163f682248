#include "systems/translator/scores/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/text_encoding.h"
#include "systems/translator/text/characters.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    if (end != 0 && !text.empty()) parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Words that end so are two words.
constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
    {"n't", " not"},
    {"'m", " am"},
    {"'re", " are"},
    {"'ve", " have"},
    {"'ll", " will"}};

// Whole words that no ending explains.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"can't", "can not"},    {"cannot", "can not"}, {"won't", "will not"},
    {"shan't", "shall not"}, {"let's", "let us"},   {"okay", "ok"},
    {"o.k.", "ok"}};

std::string SpelledOut(std::string word) {
  for (const auto& [from, to] : kWords)
    if (word == from) return std::string(to);
  for (const auto& [ending, to] : kEndings) {
    if (word.size() > ending.size() && word.ends_with(ending))
      return word.substr(0, word.size() - ending.size()) + std::string(to);
  }
  return word;
}

// Lower case, a plain apostrophe, and spaces for other punctuation.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const PlacedCharacter& c : CharactersOf(text)) {
    if (c.code == '\'' || c.code == 0x2019) {
      plain += '\'';
    } else if (IsPunctuation(c.code)) {
      plain += ' ';
    } else {
      for (std::size_t i = c.begin; i < c.end; ++i)
        plain += static_cast<char>(
            std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return plain;
}

std::string WithoutOuterApostrophes(std::string_view word) {
  while (word.starts_with('\'')) word.remove_prefix(1);
  while (word.ends_with('\'')) word.remove_suffix(1);
  return std::string(word);
}

}  // namespace

std::vector<Question> ParseQuestions(std::string_view text,
                                     const std::string& name) {
  std::vector<Question> questions;
  int64_t number = 0;
  for (const std::string& whole : LinesOf(text)) {
    const std::string_view line = whole;
    const std::size_t tab = line.find('\t');
    Question question;
    question.german = std::string(line.substr(0, tab));
    if (tab != line.npos) question.answers = SplitAt(line.substr(tab + 1), '|');
    if (question.german.empty() || question.answers.empty()) {
      throw Error(
          fmt::format("{}: line {}: is not `German TAB answer|answer...`", name,
                      number + 1));
    }
    ++number;
    questions.push_back(std::move(question));
  }
  if (questions.empty()) throw Error(name + ": has no lines");
  return questions;
}

std::vector<Question> ReadQuestions(const std::filesystem::path& path) {
  return ParseQuestions(DecodedText(ReadFile(path)), path.string());
}

std::string ComparableText(std::string_view answer) {
  const std::string plain = Plain(answer);  // what the words below lie in
  std::string text;
  for (const std::string_view word : SplitAtWhiteSpace(plain)) {
    const std::string bare = WithoutOuterApostrophes(word);
    if (bare.empty()) continue;
    if (!text.empty()) text += ' ';
    text += SpelledOut(bare);
  }
  return text;
}

bool IsRight(const Question& question, std::string_view translation) {
  const std::string given = ComparableText(translation);
  return std::any_of(question.answers.begin(), question.answers.end(),
                     [&](const std::string& answer) {
                       return ComparableText(answer) == given;
                     });
}

}  // namespace keylens::translator
