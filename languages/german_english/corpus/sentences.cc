#include "languages/german_english/corpus/sentences.h"

#include <glib.h>

#include <algorithm>
#include <unordered_set>

#include "languages/german_english/corpus/pair_check.h"
#include "languages/german_english/corpus/plain_text.h"
#include "src/base/utf8.h"

namespace keylens::german_english {
namespace {

bool IsAbbreviation(std::string_view word) {
  static const std::unordered_set<std::string_view> abbreviations = {
      "Mr.",   "Mrs.", "Ms.",  "Dr.",  "Prof.", "St.",  "Sr.",   "Jr.",
      "Nr.",   "No.",  "vs.",  "bzw.", "ca.",   "usw.", "evtl.", "ggf.",
      "inkl.", "max.", "min.", "Hr.",  "Fr.",   "Str.", "sog.",  "etc."};
  return abbreviations.contains(word);
}

// "A." of a name, "B." of "z. B.", "3." of a date.
bool IsInitialOrOrdinal(std::string_view word) {
  if (!word.ends_with('.')) return false;
  word.remove_suffix(1);
  if (CountCharacters(word) == 1) return word != "I";
  if (word.find('.') != word.npos) return !word.ends_with('.');
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

bool EndsSentence(std::string_view word) {
  while (word.ends_with('"') || word.ends_with('\'') || word.ends_with(')')) {
    word.remove_suffix(1);
  }
  if (word.ends_with("..") || IsAbbreviation(word)) return false;
  if (word.ends_with('!') || word.ends_with('?')) return true;
  return word.ends_with('.') && !IsInitialOrOrdinal(word);
}

bool StartsSentence(std::string_view word) {
  if (word.empty()) return false;
  const char32_t first = DecodeUtf8(word, 0).code;
  return g_unichar_isupper(first) || g_unichar_isdigit(first) || first == '"' ||
         first == '\'' || first == '(';
}

// A closing tag, an opening one with what it says, or one of a BBCode.
bool IsTag(std::string_view inside) {
  if (inside.starts_with('/')) inside.remove_prefix(1);
  return !inside.empty() && g_ascii_isalpha(inside[0]);
}

// "<i>", "</b>", "[b]" taken out; <br> and <p> part words.
std::string WithoutTags(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const size_t end = c == '<'   ? text.find('>', at)
                       : c == '[' ? text.find(']', at)
                                  : text.npos;
    const bool tag = end != text.npos &&
                     IsTag(text.substr(at + 1, end - at - 1)) &&
                     (c == '<' || end - at <= 3);
    if (!tag) {
      plain += c;
      continue;
    }
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (name.starts_with("br") || name.starts_with("p")) plain += ' ';
    at = end;
  }
  return plain;
}

// The game Dink writes a colour as ` and one character.
std::string WithoutColours(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`' && at + 1 < text.size()) {
      ++at;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

std::string WithoutMarkup(std::string text) {
  if (const size_t caret = text.rfind('^'); caret != text.npos) {
    text.erase(0, caret + 1);
  }
  text = WithoutTags(WithoutColours(ReplaceAll(text, "\\n", "\n")));
  for (const auto& [entity, character] : {std::pair{"&quot;", "\""},
                                          {"&apos;", "'"},
                                          {"&lt;", "<"},
                                          {"&gt;", ">"},
                                          {"&nbsp;", " "},
                                          {"&amp;", "&"}}) {
    text = ReplaceAll(text, entity, character);
  }
  return text;
}

std::vector<std::string> SplitParagraphs(const std::string& text) {
  std::vector<std::string> paragraphs;
  for (const std::string& paragraph : SplitAndTrim(text, "\n\n")) {
    std::string plain = ToPlainText(paragraph);
    if (!plain.empty()) paragraphs.push_back(std::move(plain));
  }
  return paragraphs;
}

std::vector<Pair> Zip(const std::vector<std::string>& english,
                      const std::vector<std::string>& german) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < english.size(); ++i) {
    pairs.push_back({english[i], german[i]});
  }
  return pairs;
}

const char* WhyUnfitMessage(const Pair& pair) {
  if (HasMarkup(pair)) return "markup";
  if (HasOtherNumbers(pair)) return "other numbers";
  return WhyUnfit(pair);
}

void AppendParagraph(const Pair& paragraph, std::vector<Pair>& sentences,
                     Counts& counts) {
  const auto english = SplitSentences(paragraph.english);
  const auto german = SplitSentences(paragraph.german);
  if (english.size() > 1 && english.size() == german.size()) {
    const std::vector<Pair> pairs = Zip(english, german);
    if (std::ranges::all_of(pairs, [](const Pair& pair) {
          return WhyUnfitMessage(pair) == nullptr;
        })) {
      sentences.insert(sentences.end(), pairs.begin(), pairs.end());
      counts.Add("sentences", static_cast<int64_t>(pairs.size()));
      return;
    }
  }
  if (const char* why = WhyUnfitMessage(paragraph)) {
    counts.Add(why);
    return;
  }
  sentences.push_back(paragraph);
  counts.Add("sentences");
}

}  // namespace

std::vector<std::string> SplitSentences(std::string_view text) {
  std::vector<std::string> sentences;
  std::string sentence;
  const std::vector<std::string> words = SplitAndTrim(text, " ");
  for (size_t i = 0; i < words.size(); ++i) {
    if (!sentence.empty()) sentence += ' ';
    sentence += words[i];
    const bool last = i + 1 == words.size();
    if (last || (EndsSentence(words[i]) && StartsSentence(words[i + 1]))) {
      if (!sentence.empty()) sentences.push_back(std::move(sentence));
      sentence.clear();
    }
  }
  return sentences;
}

std::vector<Pair> MessageToSentences(const Pair& message, Counts& counts) {
  counts.Add("messages");
  std::string english = WithoutMarkup(message.english);
  std::string german = WithoutMarkup(message.german);
  std::vector<std::string> english_parts = SplitParagraphs(english);
  std::vector<std::string> german_parts = SplitParagraphs(german);
  if (english_parts.size() != german_parts.size()) {
    english_parts = {ToPlainText(english)};
    german_parts = {ToPlainText(german)};
  }
  std::vector<Pair> sentences;
  for (const Pair& paragraph : Zip(english_parts, german_parts)) {
    AppendParagraph(paragraph, sentences, counts);
  }
  return sentences;
}

}  // namespace keylens::german_english
