#include "systems/translator/lines/word_places.h"

#include <algorithm>
#include <cstddef>

#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

std::vector<TextRange> WordRanges(std::string_view text) {
  std::vector<TextRange> ranges;
  for (const std::string_view word : SplitAtWhiteSpace(text)) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    ranges.push_back({begin, begin + word.size()});
  }
  return ranges;
}

bool Overlap(TextRange a, TextRange b) {
  return a.begin < b.end && b.begin < a.end;
}

// Those of `words` that the range touches.
std::vector<int64_t> WordsIn(TextRange range,
                             const std::vector<TextRange>& words) {
  std::vector<int64_t> touched;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (Overlap(words[i], range)) touched.push_back(static_cast<int64_t>(i));
  return touched;
}

const TextRange* RangeOf(const std::vector<TextRange>& words, int64_t word) {
  const auto i = static_cast<std::size_t>(word);
  return i < words.size() ? &words[i] : nullptr;
}

TextRange Moved(TextRange range, std::size_t by) {
  return {range.begin + by, range.end + by};
}

// The range of `text` without the punctuation at its ends, unless that is all.
TextRange WithoutPunctuation(std::string_view text, TextRange range) {
  const std::vector<TextRange> words = TextWords(range.In(text));
  if (words.empty()) return range;
  return {range.begin + words.front().begin, range.begin + words.back().end};
}

// What the words of `inside` became.
TextRange Placed(const LinePart& part, std::string_view written,
                 const std::vector<WordLink>& links, TextRange inside) {
  const std::vector<TextRange> read = WordRanges(part.source.text());
  const std::vector<TextRange> wrote = WordRanges(written);
  const TextRange wanted = part.source.InEdited(inside);
  TextRange placed = {written.size(), 0};
  for (const WordLink& link : links) {
    const TextRange* source = RangeOf(read, link.source);
    const TextRange* target = RangeOf(wrote, link.target);
    if (source == nullptr || target == nullptr || !Overlap(*source, wanted))
      continue;
    placed = {std::min(placed.begin, target->begin),
              std::max(placed.end, target->end)};
  }
  if (placed.begin >= placed.end) placed = {0, written.size()};
  return placed;
}

}  // namespace

std::vector<int64_t> WordsInText(const PartText& text,
                                 const std::vector<int64_t>& words) {
  const std::vector<TextRange> wrote = WordRanges(text.written);
  const std::vector<TextRange> final = WordRanges(text.text.text());
  std::vector<int64_t> first(wrote.size());
  for (std::size_t i = 0; i < wrote.size(); ++i) {
    const auto touched = WordsIn(text.text.InEdited(wrote[i]), final);
    first[i] = touched.empty() ? 0 : touched.front();
  }
  std::vector<int64_t> mapped;
  for (const int64_t word : words) {
    const auto i = static_cast<std::size_t>(word);
    mapped.push_back(i < first.size() ? first[i] : 0);
  }
  return mapped;
}

std::vector<WordLink> LinksInLine(std::string_view line,
                                  const TranslatedPart& part,
                                  const std::vector<WordLink>& links) {
  const PartText& best = part.alternatives[0];
  const std::vector<TextRange> read = WordRanges(part.part.source.text());
  const std::vector<TextRange> wrote = WordRanges(best.written);
  const std::vector<TextRange> of_line = WordRanges(line);
  const std::vector<TextRange> of_text = WordRanges(best.text.text());
  std::vector<WordLink> placed;
  for (const WordLink& link : links) {
    const TextRange* source = RangeOf(read, link.source);
    const TextRange* target = RangeOf(wrote, link.target);
    if (source == nullptr || target == nullptr) continue;
    const TextRange from =
        Moved(part.part.source.InOriginal(*source), part.part.range.begin);
    for (const int64_t s : WordsIn(from, of_line))
      for (const int64_t t : WordsIn(best.text.InEdited(*target), of_text))
        placed.push_back({s, t});
  }
  return placed;
}

std::vector<WordLink> LinksOfCopy(std::string_view line,
                                  const TranslatedPart& part) {
  const std::vector<int64_t> sources =
      WordsIn(part.part.range, WordRanges(line));
  const auto targets = static_cast<int64_t>(
      SplitAtWhiteSpace(part.alternatives[0].text.text()).size());
  std::vector<WordLink> links;
  for (int64_t word = 0; word < targets && !sources.empty(); ++word) {
    const auto last = static_cast<int64_t>(sources.size()) - 1;
    links.push_back(
        {sources[static_cast<std::size_t>(std::min(word, last))], word});
  }
  return links;
}

std::vector<TextEdit> MarkEdits(const LinePart& part, std::string_view written,
                                const std::vector<WordLink>& links) {
  std::vector<TextEdit> edits, closing;
  for (const PlacedMark& mark : part.marks) {
    const TextRange placed =
        WithoutPunctuation(written, Placed(part, written, links, mark.inside));
    if (!mark.open.empty())
      edits.push_back({{placed.begin, placed.begin}, mark.open});
    if (!mark.close.empty())
      closing.push_back({{placed.end, placed.end}, mark.close});
  }
  // What opens first closes last.
  edits.insert(edits.end(), closing.rbegin(), closing.rend());
  return edits;
}

}  // namespace keylens::translator
