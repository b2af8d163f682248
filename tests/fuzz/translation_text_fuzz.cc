// Any bytes as a line to translate: sentences and what passes through lose no
// byte, stand-ins come back, and a list of answers is read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/base/error.h"
#include "systems/translator/lines/lost_words.h"
#include "systems/translator/lines/pass_through.h"
#include "systems/translator/lines/sentence_split.h"
#include "systems/translator/scores/answers.h"
#include "systems/translator/scores/bleu.h"
#include "systems/translator/text/white_space.h"

namespace {

using namespace keylens::translator;  // NOLINT

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckSentences(std::string_view line) {
  std::size_t at = 0;
  for (const TextRange& sentence : SplitSentences(line)) {
    Require(sentence.begin >= at && sentence.end > sentence.begin);
    Require(SplitAtWhiteSpace(line.substr(at, sentence.begin - at)).empty());
    at = sentence.end;
  }
  Require(SplitAtWhiteSpace(line.substr(at)).empty());
}

void CheckPassThrough(std::string_view line) {
  std::vector<Protected> words;
  std::size_t at = 0;
  for (const Protected& found :
       FindProtected(line, [](std::string_view c) { return c.size() == 1; })) {
    Require(found.range.begin >= at && found.range.end > found.range.begin &&
            found.range.end <= line.size());
    at = found.range.end;
    if (found.kind != ProtectedKind::kSymbols) words.push_back(found);
  }
  const auto disguised = Disguise(line, words);
  if (!disguised) return;
  const auto restored = Undisguise(disguised->text, disguised->stand_ins);
  if (restored)
    Require(SplitAtWhiteSpace(*restored).size() ==
            SplitAtWhiteSpace(line).size());
}

void RequireInOrder(const Protected& word, std::string_view line,
                    std::size_t& at) {
  Require(word.range.begin >= at && word.range.end > word.range.begin &&
          word.range.end <= line.size());
  at = word.range.end;
}

void CheckLostWords(std::string_view line) {
  std::size_t at = 0;
  for (const Protected& number : NumberWords(line))
    RequireInOrder(number, line, at);
  at = 0;
  for (const Protected& date : DateWords(line)) RequireInOrder(date, line, at);
  at = 0;
  for (const NameCandidate& name : NameCandidates(line)) {
    RequireInOrder(name.word, line, at);
    Require(ResemblesName(name.word.target, name.word.target));
  }
  const std::string_view half = line.substr(0, line.size() / 2);
  Require(LostNumberWords(line, half).size() <= NumberWords(line).size());
  Require(LostNames(line, half).size() <= NameCandidates(line).size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  CheckSentences(line);
  CheckPassThrough(line);
  CheckLostWords(line);
  Tokenize13a(line);
  try {
    for (const Question& question : ParseQuestions(line, "fuzz"))
      IsRight(question, question.german);
  } catch (const keylens::Error&) {
  }
  return 0;
}
