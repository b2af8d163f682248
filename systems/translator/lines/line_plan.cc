#include "systems/translator/lines/line_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "systems/translator/lines/marks.h"
#include "systems/translator/lines/sentence_plan.h"
#include "systems/translator/text/normal_form.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

// Edits and marks of a part that lie within `range` of it, as those of a part
// of their own.
void TakeWithin(const LinePart& part, TextRange range, LinePart& between) {
  const auto lies_within = [&](TextRange inner) {
    return inner.begin >= range.begin && inner.end <= range.end;
  };
  const auto moved = [&](TextRange inner) {
    return TextRange{inner.begin - range.begin, inner.end - range.begin};
  };
  for (const TextEdit& edit : part.edits)
    if (lies_within(edit.range))
      between.edits.push_back({moved(edit.range), edit.text});
  for (const PlacedMark& mark : part.marks)
    if (lies_within(mark.inside))
      between.marks.push_back({moved(mark.inside), mark.open, mark.close});
}

}  // namespace

// U+FFFD, which stands for bytes that are no UTF-8, is read as a space.
bool KnownCharacters::Ask(std::string_view character) const {
  const std::vector<TextPiece> pieces = tokenizer_.Encode(character);
  const bool spelt =
      std::none_of(pieces.begin(), pieces.end(), [&](const TextPiece& piece) {
        return piece.id == tokenizer_.unknown_id() ||
               (piece.text.size() == 6 && piece.text.starts_with("<0x"));
      });
  return spelt && character != "\xEF\xBF\xBD";
}

bool KnownCharacters::operator()(std::string_view character) const {
  const char32_t code = CharactersOf(character).front().code;
  if (code < 0x80 || IsPunctuation(code)) return true;
  const auto found = known_.find(character);
  if (found != known_.end()) return found->second;
  return known_[std::string(character)] =
             Ask(character) || Ask(InSmallLetters(character));
}

LinePlanner::LinePlanner(const Tokenizer& tokenizer, const LanguageRules& rules,
                         int64_t max_pieces)
    : tokenizer_(tokenizer),
      rules_(rules),
      max_pieces_(static_cast<std::size_t>(max_pieces)),
      known_(tokenizer) {}

std::vector<LinePart> LinePlanner::Plan(std::string_view line) const {
  std::vector<LinePart> parts;
  const TextRange marker = Trimmed(line, {0, LineMarkerLength(line)});
  if (marker.begin < marker.end)
    parts.push_back(CopiedPart(marker, std::string(marker.In(line))));
  const std::string_view text = line.substr(marker.end);
  for (const TextRange& sentence : rules_.Sentences(text)) {
    SentencePlan plan(
        {tokenizer_, rules_, [this](std::string_view c) { return known_(c); },
         max_pieces_},
        line, {marker.end + sentence.begin, marker.end + sentence.end});
    for (LinePart& part : plan.Parts()) {
      if (!part.copied && !part.words.empty() && part.source.text().empty()) {
        for (LinePart& around : PlanAround(line, part))
          parts.push_back(std::move(around));
      } else {
        parts.push_back(std::move(part));
      }
    }
  }
  return parts;
}

std::vector<LinePart> LinePlanner::PlanAround(std::string_view line,
                                              const LinePart& part) const {
  std::vector<LinePart> parts;
  std::size_t begin = part.range.begin;
  const auto add_between = [&](std::size_t end) {
    const TextRange range = Trimmed(line, {begin, end});
    if (range.begin == range.end) return;
    if (auto copy = WithoutModel(range.In(line), {}, rules_)) {
      parts.push_back(CopiedPart(range, *std::move(copy)));
      return;
    }
    LinePart between;
    between.range = range;
    between.capitals = part.capitals;
    between.begins_sentence = part.begins_sentence && begin == part.range.begin;
    TakeWithin(part,
               {range.begin - part.range.begin, range.end - part.range.begin},
               between);
    DisguisePart(line, rules_, between);
    parts.push_back(std::move(between));
  };
  for (const Protected& word : part.words) {
    const TextRange range = {part.range.begin + word.range.begin,
                             part.range.begin + word.range.end};
    add_between(range.begin);
    parts.push_back(CopiedPart(range, word.target));
    begin = range.end;
  }
  add_between(part.range.end);
  return parts;
}

}  // namespace keylens::translator
