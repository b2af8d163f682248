#include "languages/german_english/corpus/ding_line.h"

#include <optional>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

constexpr std::string_view kOpening = "([{<", kClosing = ")]}>";

// Splits at `separator` where no bracket is open.
std::vector<std::string> SplitOutsideBrackets(std::string_view text,
                                              char separator) {
  std::vector<std::string> parts(1);
  int open = 0;
  for (const char c : text) {
    if (kOpening.find(c) != kOpening.npos) ++open;
    if (kClosing.find(c) != kClosing.npos && open > 0) --open;
    if (c == separator && open == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// "(zoologische Gattung)", "(botanical family)".
bool NamesTaxon(const std::string& note) {
  for (const char* field : {"zoologische ", "botanische ", "zoological ",
                            "botanical ", "mykologische "}) {
    if (note.starts_with(field)) return true;
  }
  return false;
}

// Where the bracket that opens at `at` is closed, past those inside of it;
// npos where brackets do not match.
size_t FindClosing(std::string_view text, size_t at) {
  std::string open;
  for (; at < text.size(); ++at) {
    if (kOpening.find(text[at]) != kOpening.npos) open += text[at];
    const size_t kind = kClosing.find(text[at]);
    if (kind == kClosing.npos) continue;
    if (open.empty() || open.back() != kOpening[kind]) return text.npos;
    open.pop_back();
    if (open.empty()) return at;
  }
  return text.npos;
}

// The text without what stands in brackets; nothing where they do not match.
// A note that touches a word, "Lehrer(in)", goes without a trace; one between
// words leaves a space.
std::optional<DingTerm> TakeOutBrackets(std::string_view text) {
  DingTerm term;
  for (size_t at = 0; at < text.size(); ++at) {
    if (kClosing.find(text[at]) != kClosing.npos) return std::nullopt;
    if (kOpening.find(text[at]) == kOpening.npos) {
      term.text += text[at];
      continue;
    }
    const size_t end = FindClosing(text, at);
    if (end == text.npos) return std::nullopt;
    const std::string inside(text.substr(at + 1, end - at - 1));
    if (text[at] == '[') term.labels.push_back(inside);
    if (NamesTaxon(inside)) term.labels.push_back("taxon");
    if (text[at] == '{') term.grammar.push_back(inside);
    at = end;
  }
  return term;
}

// "Regierung /Reg.; Rg./" without its abbreviations: what stands between a
// slash after a space and one at the end of a word.
std::string WithoutAbbreviations(std::string text) {
  for (size_t start = text.find(" /"); start != text.npos;
       start = text.find(" /", start)) {
    const size_t end = text.find('/', start + 2);
    if (end == text.npos) break;
    const bool at_word_end =
        end + 1 == text.size() || text[end + 1] == ' ' || text[end + 1] == ';';
    if (at_word_end && text[start + 2] != ' ' && text[end - 1] != ' ') {
      text.erase(start, end + 1 - start);
    } else {
      ++start;
    }
  }
  return text;
}

bool LeavesDoubt(const std::string& text) {
  if (text.empty() || text.starts_with('-') || text.ends_with('-')) return true;
  for (const char* sign : {"...", " /", "/ ", "=", "\"", "*", "~", "+"}) {
    if (text.find(sign) != text.npos) return true;
  }
  return false;
}

std::optional<DingTerm> ParseTerm(const std::string& text) {
  std::optional<DingTerm> term = TakeOutBrackets(text);
  if (!term) return std::nullopt;
  term->text = ToPlainText(term->text);
  while (term->text.ends_with(',') || term->text.ends_with(':')) {
    term->text.pop_back();
  }
  if (LeavesDoubt(term->text)) return std::nullopt;
  return term;
}

std::vector<DingTerm> ParseTerms(const std::string& part) {
  std::vector<DingTerm> terms;
  for (const std::string& text :
       SplitOutsideBrackets(WithoutAbbreviations(part), ';')) {
    if (std::optional<DingTerm> term = ParseTerm(text)) {
      terms.push_back(*std::move(term));
    }
  }
  return terms;
}

}  // namespace

std::vector<DingEntry> ParseDingLine(std::string_view line, Counts& counts) {
  constexpr std::string_view kBetweenSides = " :: ";
  if (line.starts_with('#') || Trimmed(line).empty()) return {};
  counts.Add("lines");
  const size_t middle = line.find(kBetweenSides);
  std::vector<std::string> german, english;
  if (middle != line.npos) {
    german = SplitOutsideBrackets(line.substr(0, middle), '|');
    english =
        SplitOutsideBrackets(line.substr(middle + kBetweenSides.size()), '|');
  }
  if (middle == line.npos) {
    counts.Add("lines without two sides");
    return {};
  }
  if (german.size() != english.size()) {
    counts.Add("lines with other parts on the two sides, headword kept");
    german.resize(1);
    english.resize(1);
  }
  std::vector<DingEntry> entries;
  for (size_t i = 0; i < german.size(); ++i) {
    counts.Add("parts");
    DingEntry entry{i == 0, ParseTerms(german[i]), ParseTerms(english[i])};
    if (entry.german.empty() || entry.english.empty()) {
      counts.Add("parts with nothing left on a side");
      continue;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace keylens::german_english
