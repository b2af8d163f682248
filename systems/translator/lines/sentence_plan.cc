#include "systems/translator/lines/sentence_plan.h"

#include <algorithm>
#include <utility>

#include "systems/translator/lines/capitals.h"
#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

bool IsWithin(TextRange inner, TextRange outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

bool HasWords(std::string_view text) {
  const auto characters = CharactersOf(text);
  return std::any_of(characters.begin(), characters.end(),
                     [](const PlacedCharacter& c) {
                       return !IsPunctuation(c.code) && !IsWhiteSpace(c.code);
                     });
}

// What of `text` no protected word covers.
std::string WithoutWords(std::string_view text,
                         const std::vector<Protected>& words) {
  std::vector<TextEdit> edits;
  for (const Protected& word : words) edits.push_back({word.range, ""});
  return EditedText(text, edits).text();
}

bool Breaks(std::string_view word) {
  return word.ends_with(',') || word.ends_with(';') || word.ends_with(':');
}

bool IsTerminator(char32_t code) {
  return code == '.' || code == '!' || code == '?' || code == 0x2026;
}

bool AreTerminators(std::string_view text) {
  const auto characters = CharactersOf(text);
  return std::all_of(
      characters.begin(), characters.end(),
      [](const PlacedCharacter& c) { return IsTerminator(c.code); });
}

bool EndsSentence(std::string_view text) {
  const auto characters = CharactersOf(text);
  return !characters.empty() && IsTerminator(characters.back().code);
}

// An apostrophe however it is typed: keyboards have many.
bool IsApostrophe(char32_t code) {
  return code == 0x2019 || code == 0x2018 || code == 0x2BC || code == '`' ||
         code == 0xB4 || code == 0x201B || code == 0xFF07;
}

bool IsLetter(char32_t code) { return IsUpper(code) || IsLower(code); }

// A quote that may also be an apostrophe, which opens and closes nothing.
bool IsAmbiguousQuote(char32_t code) {
  return code == '\'' || IsApostrophe(code);
}

std::vector<TextEdit> StraightApostrophes(std::string_view text) {
  const auto characters = CharactersOf(text);
  std::vector<TextEdit> edits;
  for (std::size_t i = 1; i + 1 < characters.size(); ++i) {
    if (IsApostrophe(characters[i].code) && IsLetter(characters[i - 1].code) &&
        IsLetter(characters[i + 1].code))
      edits.push_back({{characters[i].begin, characters[i].end}, "'"});
  }
  return edits;
}

std::string Masked(std::string_view text, std::span<const TextRange> tags) {
  std::string masked(text);
  for (const TextRange& tag : tags)
    std::fill(masked.begin() + static_cast<std::ptrdiff_t>(tag.begin),
              masked.begin() + static_cast<std::ptrdiff_t>(tag.end), ' ');
  return masked;
}

std::vector<TextRange> RangesOf(const std::vector<Protected>& words) {
  std::vector<TextRange> ranges;
  for (const Protected& word : words) ranges.push_back(word.range);
  return ranges;
}

}  // namespace

TextRange Trimmed(std::string_view line, TextRange range) {
  const auto characters = CharactersOf(range.In(line));
  std::size_t first = 0, last = characters.size();
  while (first < last && IsWhiteSpace(characters[first].code)) ++first;
  while (last > first && IsWhiteSpace(characters[last - 1].code)) --last;
  if (first == last) return {range.begin, range.begin};
  return {range.begin + characters[first].begin,
          range.begin + characters[last - 1].end};
}

LinePart CopiedPart(TextRange range, std::string copy) {
  LinePart part;
  part.range = range;
  part.copied = true;
  part.copy = std::move(copy);
  return part;
}

std::optional<std::string> WithoutModel(std::string_view text,
                                        const std::vector<Protected>& words,
                                        const LanguageRules& rules) {
  const std::vector<Protected> all = MergedWords(words, rules.Numbers(text));
  if (HasWords(WithoutWords(text, all))) return std::nullopt;
  std::vector<TextEdit> edits;
  for (const Protected& word : all) edits.push_back({word.range, word.target});
  return EditedText(text, edits).text();
}

SentencePlan::SentencePlan(const PlanTools& tools, std::string_view line,
                           TextRange sentence)
    : tools_(tools),
      begin_(sentence.begin),
      line_(line),
      text_(sentence.In(line)),
      tags_(FindTags(text_)) {
  const std::string masked = Masked(text_, tags_);
  FindWords(masked);
  FindEdits(masked);
}

// Tags without their other half are cut out.
void SentencePlan::FindWords(std::string_view masked) {
  words_ = MergedWords(tools_.rules.WordsToKeep(masked),
                       FindProtected(masked, tools_.rules, tools_.knows));
  pairs_ = FindMarks(text_, tags_, RangesOf(words_));
  std::vector<Protected> cut;
  for (const TextRange& tag : tags_)
    if (!IsPaired(tag.begin))
      cut.push_back({tag, ProtectedKind::kCut, std::string(tag.In(text_))});
  words_ = MergedWords(words_, cut);
}

void SentencePlan::FindEdits(std::string_view masked) {
  const std::vector<TextRange> ranges = RangesOf(words_);
  Recased recased =
      RecasedCapitals(masked, ranges, tools_.tokenizer, tools_.rules);
  capitals_ = recased.all;
  edits_ = std::move(recased.edits);
  for (TextEdit& edit : StraightApostrophes(masked))
    edits_.push_back(std::move(edit));
  edits_ = SortedEdits(std::move(edits_));
}

std::vector<LinePart> SentencePlan::Parts() {
  parts_.clear();
  Add({0, text_.size()}, true);
  return std::move(parts_);
}

void SentencePlan::Add(TextRange range, bool begins) {
  range = Trimmed(text_, range);
  if (range.begin == range.end) return;
  if (AddEnclosed(range, begins) || AddWithoutEdge(range, begins) ||
      AddQuotation(range, begins) || AddAroundCut(range, begins))
    return;
  AddInPieces(range, begins);
}

bool SentencePlan::IsPaired(std::size_t at) const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const MarkPair& pair) {
    return pair.open.begin == at || pair.close.begin == at;
  });
}

QuoteMarks SentencePlan::Target(const MarkPair& pair) const {
  const QuoteMarks marks = {std::string(pair.open.In(text_)),
                            std::string(pair.close.In(text_))};
  return pair.kind == MarkKind::kQuote ? tools_.rules.TargetQuotes(marks)
                                       : marks;
}

bool SentencePlan::AddEnclosed(TextRange range, bool begins) {
  for (const MarkPair& pair : pairs_) {
    if (pair.open.begin != range.begin || pair.close.end > range.end ||
        !HasWords(pair.Inside().In(text_)))
      continue;
    const TextRange rest = {pair.close.end, range.end};
    if (!AreTerminators(rest.In(text_))) continue;
    const QuoteMarks target = Target(pair);
    AddCopy(pair.open, target.open);
    Add(pair.Inside(), begins);
    AddCopy({pair.close.begin, range.end},
            target.close + std::string(rest.In(text_)));
    return true;
  }
  return false;
}

// A quotation of several sentences opens in one and closes in another.
bool SentencePlan::AddWithoutEdge(TextRange range, bool begins) {
  const auto characters = CharactersOf(range.In(text_));
  if (characters.size() < 2) return false;
  const PlacedCharacter& first = characters.front();
  const PlacedCharacter& last = characters.back();
  const std::string mark(text_.substr(range.begin, first.end));
  if (MayOpen(first.code) && !IsAmbiguousQuote(first.code) &&
      !IsPaired(range.begin)) {
    const TextRange opens = {range.begin, range.begin + first.end};
    AddCopy(opens, IsQuote(first.code)
                       ? tools_.rules.TargetQuotes({mark, mark}).open
                       : mark);
    Add({opens.end, range.end}, begins);
    return true;
  }
  const TextRange closes = {range.begin + last.begin, range.end};
  if (MayClose(last.code) && !IsAmbiguousQuote(last.code) &&
      !IsPaired(closes.begin)) {
    const std::string close(closes.In(text_));
    Add({range.begin, closes.begin}, begins);
    AddCopy(closes, IsQuote(last.code)
                        ? tools_.rules.TargetQuotes({close, close}).close
                        : close);
    return true;
  }
  return false;
}

// Words that somebody says: at the end, behind a colon or a comma, or with more
// of the sentence behind a comma or a mark of their own. ("Faust" is none.)
bool SentencePlan::IsQuotation(const MarkPair& pair, TextRange range) const {
  if (pair.kind != MarkKind::kQuote || !IsWithin(pair.Whole(), range) ||
      !HasWords(pair.Inside().In(text_)))
    return false;
  const std::string_view before =
      Trimmed(text_, {range.begin, pair.open.begin}).In(text_);
  const std::string_view after =
      Trimmed(text_, {pair.close.end, range.end}).In(text_);
  const bool ended = EndsSentence(Trimmed(text_, pair.Inside()).In(text_));
  if (before.ends_with(':')) return true;
  if (!before.empty() && !before.ends_with(',')) return false;
  if (AreTerminators(after)) return true;
  return ended || (before.empty() && after.starts_with(','));
}

bool SentencePlan::AddQuotation(TextRange range, bool begins) {
  const auto pair = std::find_if(
      pairs_.begin(), pairs_.end(),
      [&](const MarkPair& one) { return IsQuotation(one, range); });
  if (pair == pairs_.end()) return false;
  Add({range.begin, pair->open.begin}, begins);
  const QuoteMarks target = Target(*pair);
  AddCopy(pair->open, target.open);
  const TextRange inside = Trimmed(text_, pair->Inside());
  Add(inside, true);
  TextRange closes = pair->close;
  const std::string_view behind = text_.substr(closes.end);
  const bool comma = behind.starts_with(',') && closes.end < range.end;
  const bool goes_on =
      !AreTerminators(Trimmed(text_, {closes.end, range.end}).In(text_));
  closes.end += comma ? 1 : 0;
  AddCopy(closes, goes_on ? tools_.rules.CloseQuotation(
                                target, EndsSentence(inside.In(text_)),
                                comma ? "," : "")
                          : target.close);
  Add({closes.end, range.end}, false);
  return true;
}

bool SentencePlan::AddAroundCut(TextRange range, bool begins) {
  const auto cut =
      std::find_if(words_.begin(), words_.end(), [&](const Protected& word) {
        return word.kind == ProtectedKind::kCut && IsWithin(word.range, range);
      });
  if (cut == words_.end()) return false;
  Add({range.begin, cut->range.begin}, begins);
  AddCopy(cut->range, cut->target);
  Add({cut->range.end, range.end}, begins && cut->range.begin == range.begin);
  return true;
}

// Text that is too long is cut.
void SentencePlan::AddInPieces(TextRange range, bool begins) {
  for (; range.begin < range.end; range = Trimmed(text_, range)) {
    const std::size_t cut = CutPoint(range);
    AddPart(Trimmed(text_, {range.begin, cut}), begins);
    begins = false;
    range.begin = cut;
  }
}

// The end of the longest beginning that is short enough. A comma is a better
// place than a word, unless little comes before it.
std::size_t SentencePlan::CutPoint(TextRange range) const {
  const std::string_view text = range.In(text_);
  const std::vector<TextPiece> pieces = tools_.tokenizer.Encode(text);
  if (pieces.size() <= tools_.max_pieces) return range.end;
  std::size_t cut = 0, break_cut = 0;
  std::size_t at = 0;
  for (const TextWord& word : WordsOf(text, pieces)) {
    at = text.find(word.text, at) + word.text.size();
    if (word.last_piece > tools_.max_pieces) break;
    cut = at;
    if (Breaks(word.text)) break_cut = at;
  }
  if (2 * break_cut > cut) cut = break_cut;
  if (cut == 0) cut = at;  // one long word
  return range.begin + cut;
}

void SentencePlan::AddCopy(TextRange range, std::string copy) {
  parts_.push_back(
      CopiedPart({begin_ + range.begin, begin_ + range.end}, std::move(copy)));
}

void SentencePlan::AddPart(TextRange range, bool begins) {
  LinePart part;
  part.range = {begin_ + range.begin, begin_ + range.end};
  part.begins_sentence = begins;
  part.capitals = capitals_;
  std::vector<Protected> within;
  for (Protected word : words_) {
    if (!IsWithin(word.range, range)) continue;
    word.range = {word.range.begin - range.begin, word.range.end - range.begin};
    within.push_back(std::move(word));
  }
  if (auto copy = WithoutModel(range.In(text_), within, tools_.rules)) {
    AddCopy(range, *std::move(copy));
    return;
  }
  for (const TextEdit& edit : edits_)
    if (IsWithin(edit.range, range))
      part.edits.push_back(
          {{edit.range.begin - range.begin, edit.range.end - range.begin},
           edit.text});
  part.words = std::move(within);
  TakeMarks(range, part);
  TakeWords(part);
  part.edits = SortedEdits(std::move(part.edits));
  if (!DisguisePart(line_, tools_.rules, part)) part.source = EditedText();
  parts_.push_back(std::move(part));
}

// A word that is all that marks enclose is carried over with them.
void SentencePlan::TakeMarks(TextRange range, LinePart& part) const {
  for (const MarkPair& pair : pairs_) {
    if (!IsWithin(pair.Whole(), range) || !HasWords(pair.Inside().In(text_)))
      continue;
    const auto moved = [&](TextRange inner) {
      return TextRange{inner.begin - range.begin, inner.end - range.begin};
    };
    const TextRange inside = moved(Trimmed(text_, pair.Inside()));
    const QuoteMarks target = Target(pair);
    const auto word =
        std::find_if(part.words.begin(), part.words.end(),
                     [&](const Protected& one) { return one.range == inside; });
    if (word != part.words.end()) {
      word->range = moved(pair.Whole());
      word->target = target.open + word->target + target.close;
      continue;
    }
    part.edits.push_back({{moved(pair.open).begin, inside.begin}, ""});
    part.edits.push_back({{inside.end, moved(pair.close).end}, ""});
    part.marks.push_back({inside, target.open, target.close});
  }
}

// A measure before what it measures is left out, and put back there.
void SentencePlan::TakeWords(LinePart& part) const {
  std::vector<Protected> words;
  for (Protected& word : part.words) {
    if (word.kind == ProtectedKind::kBesideNext) {
      LeaveOut(word, part);
    } else {
      words.push_back(std::move(word));
    }
  }
  part.words = std::move(words);
}

void SentencePlan::LeaveOut(const Protected& word, LinePart& part) const {
  const std::string_view text = part.range.In(line_);
  for (const TextRange& next : TextWords(text)) {
    if (next.begin < word.range.end) continue;
    part.marks.push_back({next, word.target + " ", ""});
    part.edits.push_back({{word.range.begin, next.begin}, ""});
    return;
  }
}

}  // namespace keylens::translator
