// Any bytes as a line to translate: sentences and what passes through lose no
// byte, stand-ins come back, and a list of answers is read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/rules/german_english_rules.h"
#include "languages/german_english/rules/lost_words.h"
#include "languages/german_english/rules/phrases.h"
#include "src/base/error.h"
#include "src/base/utf8.h"
#include "systems/translator/lines/marks.h"
#include "systems/translator/lines/protected_words.h"
#include "systems/translator/lines/stand_ins.h"
#include "systems/translator/rules/plain_rules.h"
#include "systems/translator/scores/answers.h"
#include "systems/translator/scores/bleu.h"
#include "systems/translator/text/normal_form.h"
#include "systems/translator/text/white_space.h"

namespace {

using namespace keylens::translator;      // NOLINT
using namespace keylens::german_english;  // NOLINT

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckSentences(std::string_view line, const LanguageRules& rules) {
  std::size_t at = 0;
  for (const TextRange& sentence : rules.Sentences(line)) {
    Require(sentence.begin >= at && sentence.end > sentence.begin);
    Require(SplitAtWhiteSpace(line.substr(at, sentence.begin - at)).empty());
    at = sentence.end;
  }
  Require(SplitAtWhiteSpace(line.substr(at)).empty());
}

void RequireInOrder(const Protected& word, std::string_view line,
                    std::size_t& at) {
  Require(word.range.begin >= at && word.range.end > word.range.begin &&
          word.range.end <= line.size());
  at = word.range.end;
}

// What stands for words that are the same in both languages.
std::vector<Protected> Unchanged(std::vector<Protected> words,
                                 std::string_view line) {
  std::erase_if(words, [](const Protected& word) {
    return word.kind == ProtectedKind::kCut ||
           word.kind == ProtectedKind::kBesideNext;
  });
  for (Protected& word : words) word.target = std::string(word.range.In(line));
  return words;
}

void CheckPassThrough(std::string_view line, const LanguageRules& rules) {
  const std::vector<Protected> found = FindProtected(
      line, rules, [](std::string_view c) { return c.size() == 1; });
  std::size_t at = 0;
  for (const Protected& word : found) RequireInOrder(word, line, at);
  const std::vector<Protected> words = Unchanged(found, line);
  const auto disguised = Disguise(line, {}, words, rules);
  if (!disguised) return;
  const std::string& text = disguised->text.text();
  const auto restored = Undisguise(text, disguised->stand_ins);
  Require(restored.has_value());
  Require(EditedText(text, *restored).text() == line);
}

void CheckMarks(std::string_view line) {
  std::size_t at = 0;
  const std::vector<TextRange> tags = FindTags(line);
  for (const TextRange& tag : tags) {
    Require(tag.begin >= at && tag.end > tag.begin && tag.end <= line.size());
    at = tag.end;
  }
  for (const MarkPair& pair : FindMarks(line, tags, {}))
    Require(pair.open.end <= pair.close.begin && pair.close.end <= line.size());
  Require(LineMarkerLength(line) <= line.size());
  Require(NormalForm(NormalForm(keylens::ToValidUtf8(line))) ==
          NormalForm(keylens::ToValidUtf8(line)));
}

void CheckLostWords(std::string_view line) {
  std::size_t at = 0;
  for (const Protected& number : NumberWords(line))
    RequireInOrder(number, line, at);
  at = 0;
  for (const Protected& date : DateWords(line)) RequireInOrder(date, line, at);
  at = 0;
  for (const Protected& phrase : AbbreviatedPhrases(line))
    RequireInOrder(phrase, line, at);
  at = 0;
  for (const NameCandidate& name : NameCandidates(line)) {
    RequireInOrder(name.word, line, at);
  }
  const std::string_view half = line.substr(0, line.size() / 2);
  Require(LostNumberWords(line, half).size() <= NumberWords(line).size());
  Require(LostNames(line, half).size() <= NameCandidates(line).size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto rules = keylens::german_english::MakeRules();
  CheckSentences(line, *rules);
  CheckSentences(line, PlainRules());
  CheckPassThrough(line, *rules);
  CheckPassThrough(line, PlainRules());
  CheckMarks(line);
  CheckLostWords(line);
  Tokenize13a(line);
  try {
    for (const Question& question : ParseQuestions(line, "fuzz"))
      IsRight(question, question.german);
  } catch (const keylens::Error&) {
  }
  return 0;
}
