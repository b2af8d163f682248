#include "systems/translator/lines/line_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "systems/translator/lines/lost_words.h"
#include "systems/translator/lines/sentence_split.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

TextRange Trimmed(std::string_view line, TextRange range) {
  const auto characters = CharactersOf(range.In(line));
  std::size_t first = 0, last = characters.size();
  while (first < last && IsWhiteSpace(characters[first].code)) ++first;
  while (last > first && IsWhiteSpace(characters[last - 1].code)) --last;
  if (first == last) return {range.begin, range.begin};
  return {range.begin + characters[first].begin,
          range.begin + characters[last - 1].end};
}

bool HasWords(std::string_view text) {
  const auto characters = CharactersOf(text);
  return std::any_of(characters.begin(), characters.end(),
                     [](const PlacedCharacter& c) {
                       return !IsPunctuation(c.code) && !IsWhiteSpace(c.code);
                     });
}

LinePart Copied(std::string_view line, TextRange range, std::string text) {
  LinePart part;
  part.range = range;
  part.copied = true;
  part.text = std::move(text);
  if (part.text.empty()) part.text = std::string(range.In(line));
  return part;
}

// What of `text` no protected word covers.
std::string WithoutWords(std::string_view text,
                         const std::vector<Protected>& words) {
  std::string rest;
  std::size_t at = 0;
  for (const Protected& word : words) {
    rest += text.substr(at, word.range.begin - at);
    at = word.range.end;
  }
  return rest += text.substr(at);
}

// The translation of a text in which numbers and `words` are all there is.
std::optional<std::string> WithoutModel(std::string_view text,
                                        const std::vector<Protected>& words) {
  const std::vector<Protected> all = MergedWords(words, NumberWords(text));
  if (HasWords(WithoutWords(text, all))) return std::nullopt;
  std::string copy;
  std::size_t at = 0;
  for (const Protected& word : all) {
    copy += text.substr(at, word.range.begin - at);
    copy += word.target;
    at = word.range.end;
  }
  copy += text.substr(at);
  return copy;
}

bool Breaks(std::string_view word) {
  return word.ends_with(',') || word.ends_with(';') || word.ends_with(':');
}

// Rare letters of German and English, and marks, may have no piece of their own
// but bytes, as the model has seen them in training.
bool IsOrdinary(char32_t code) { return code < 0x180 || IsPunctuation(code); }

}  // namespace

LinePlanner::LinePlanner(const Tokenizer& tokenizer, int64_t max_pieces)
    : tokenizer_(tokenizer),
      max_pieces_(static_cast<std::size_t>(max_pieces)),
      knows_([this](std::string_view character) { return Knows(character); }) {}

// Any other character is not known where its piece is the unknown one or spells
// bytes.
bool LinePlanner::Knows(std::string_view character) {
  if (IsOrdinary(CharactersOf(character).front().code)) return true;
  const auto found = known_.find(character);
  if (found != known_.end()) return found->second;
  const std::vector<TextPiece> pieces = tokenizer_.Encode(character);
  const bool knows =
      std::none_of(pieces.begin(), pieces.end(), [&](const TextPiece& piece) {
        return piece.id == tokenizer_.unknown_id() ||
               (piece.text.size() == 6 && piece.text.starts_with("<0x"));
      });
  // U+FFFD, which stands for bytes that are no UTF-8, is read as a space.
  const bool is_replacement = character == "\xEF\xBF\xBD";
  return known_[std::string(character)] = knows && !is_replacement;
}

std::vector<LinePart> LinePlanner::Plan(std::string_view line) {
  std::vector<LinePart> parts;
  for (const TextRange& sentence : SplitSentences(line))
    AddSentence(line, sentence, parts);
  return parts;
}

// Symbols are cut out.
void LinePlanner::AddSentence(std::string_view line, TextRange sentence,
                              std::vector<LinePart>& parts) {
  std::size_t begin = sentence.begin;
  for (const Protected& found : FindProtected(sentence.In(line), knows_)) {
    if (found.kind != ProtectedKind::kSymbols) continue;
    const TextRange symbols = {sentence.begin + found.range.begin,
                               sentence.begin + found.range.end};
    AddStretch(line, {begin, symbols.begin}, begin == sentence.begin, parts);
    parts.push_back(Copied(line, symbols, found.target));
    begin = symbols.end;
  }
  AddStretch(line, {begin, sentence.end}, begin == sentence.begin, parts);
}

// Text that is too long is cut.
void LinePlanner::AddStretch(std::string_view line, TextRange stretch,
                             bool begins_sentence,
                             std::vector<LinePart>& parts) {
  for (stretch = Trimmed(line, stretch); stretch.begin < stretch.end;
       stretch = Trimmed(line, stretch)) {
    const std::size_t cut = CutPoint(line, stretch);
    AddWithin(line, Trimmed(line, {stretch.begin, cut}), begins_sentence,
              parts);
    begins_sentence = false;
    stretch.begin = cut;
  }
}

std::size_t LinePlanner::CutPoint(std::string_view line,
                                  TextRange stretch) const {
  const std::string_view text = stretch.In(line);
  const std::vector<TextPiece> pieces = tokenizer_.Encode(text);
  if (pieces.size() <= max_pieces_) return stretch.end;
  std::size_t cut = 0, break_cut = 0;
  std::size_t at = 0;
  for (const TextWord& word : WordsOf(text, pieces)) {
    at = text.find(word.text, at) + word.text.size();
    if (word.last_piece > max_pieces_) break;
    cut = at;
    if (Breaks(word.text)) break_cut = at;
  }
  // A comma is a better place than a word, unless little comes before it.
  if (2 * break_cut > cut) cut = break_cut;
  if (cut == 0) cut = at;  // one long word
  return stretch.begin + cut;
}

void LinePlanner::AddWithin(std::string_view line, TextRange stretch,
                            bool begins_sentence,
                            std::vector<LinePart>& parts) {
  const std::string_view text = stretch.In(line);
  const std::vector<Protected> words = FindProtected(text, knows_);
  if (auto copy = WithoutModel(text, words)) {
    parts.push_back(Copied(line, stretch, *std::move(copy)));
    return;
  }
  LinePart part;
  part.range = stretch;
  part.begins_sentence = begins_sentence;
  if (auto disguised = Disguise(text, words)) {
    part.text = std::move(disguised->text);
    part.stand_ins = std::move(disguised->stand_ins);
    parts.push_back(std::move(part));
    return;
  }
  for (const Protected& word : words) part.stand_ins.push_back({"", word});
  for (LinePart& piece : PlanAround(line, part))
    parts.push_back(std::move(piece));
}

std::vector<LinePart> LinePlanner::PlanAround(std::string_view line,
                                              const LinePart& part) {
  std::vector<LinePart> parts;
  std::size_t begin = part.range.begin;
  const auto add_between = [&](std::size_t end) {
    const TextRange range = Trimmed(line, {begin, end});
    if (range.begin == range.end) return;
    if (auto copy = WithoutModel(range.In(line), {})) {
      parts.push_back(Copied(line, range, *std::move(copy)));
      return;
    }
    LinePart between;
    between.range = range;
    between.text = std::string(range.In(line));
    between.begins_sentence = part.begins_sentence && begin == part.range.begin;
    parts.push_back(std::move(between));
  };
  for (const StandIn& stand_in : part.stand_ins) {
    const TextRange word = {part.range.begin + stand_in.original.range.begin,
                            part.range.begin + stand_in.original.range.end};
    add_between(word.begin);
    parts.push_back(Copied(line, word, stand_in.original.target));
    begin = word.end;
  }
  add_between(part.range.end);
  return parts;
}

}  // namespace keylens::translator
