#include "systems/translator/scores/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsPointOrComma(char c) { return c == '.' || c == ','; }

// What 13a puts spaces around wherever it stands: ASCII that is neither a
// letter, a digit nor one of ' , - .
bool IsApart(char c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' ||
         (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string Unescaped(std::string_view line) {
  std::string text = Replaced(std::string(line), "<skipped>", "");
  text = Replaced(std::move(text), "-\n", "");
  text = Replaced(std::move(text), "\n", " ");
  text = Replaced(std::move(text), "&quot;", "\"");
  text = Replaced(std::move(text), "&amp;", "&");
  text = Replaced(std::move(text), "&lt;", "<");
  return Replaced(std::move(text), "&gt;", ">");
}

// Rewrites each pair of neighbours that `matches`, from left to right and
// without overlap, as the text `format` makes of it.
template <typename Matches, typename Format>
std::string RewritePairs(const std::string& text, Matches matches,
                         Format format) {
  std::string result;
  std::size_t at = 0;
  for (; at + 1 < text.size(); ++at) {
    if (matches(text[at], text[at + 1])) {
      result += format(text[at], text[at + 1]);
      ++at;
    } else {
      result += text[at];
    }
  }
  if (at < text.size()) result += text[at];
  return result;
}

std::string Spaced(const char* format, char first, char second) {
  std::string result;
  for (; *format != '\0'; ++format) {
    result += *format == '1' ? first : *format == '2' ? second : *format;
  }
  return result;
}

using Ngram = std::vector<std::string>;
using NgramCounts = std::map<Ngram, int64_t>;

NgramCounts CountNgrams(const std::vector<std::string>& tokens, int order) {
  NgramCounts counts;
  for (std::size_t end = order; end <= tokens.size(); ++end) {
    ++counts[Ngram(tokens.begin() + static_cast<std::ptrdiff_t>(end) - order,
                   tokens.begin() + static_cast<std::ptrdiff_t>(end))];
  }
  return counts;
}

struct Matches {
  std::array<int64_t, kBleuOrder> correct{}, total{};
};

void AddMatches(const std::vector<std::string>& translation,
                const std::vector<std::string>& reference, Matches& matches) {
  for (int order = 1; order <= kBleuOrder; ++order) {
    const NgramCounts expected = CountNgrams(reference, order);
    for (const auto& [ngram, count] : CountNgrams(translation, order)) {
      matches.total[order - 1] += count;
      const auto found = expected.find(ngram);
      if (found != expected.end())
        matches.correct[order - 1] += std::min(count, found->second);
    }
  }
}

std::array<double, kBleuOrder> Precisions(const Matches& matches) {
  std::array<double, kBleuOrder> precisions{};
  double smoothing = 1;
  for (int n = 0; n < kBleuOrder && matches.total[n] > 0; ++n) {
    double correct = static_cast<double>(matches.correct[n]);
    if (matches.correct[n] == 0) correct = 1 / (smoothing *= 2);
    precisions[n] = 100 * correct / static_cast<double>(matches.total[n]);
  }
  return precisions;
}

double GeometricMean(const std::array<double, kBleuOrder>& precisions) {
  double log_sum = 0;
  for (const double precision : precisions) {
    if (precision == 0) return 0;
    log_sum += std::log(precision);
  }
  return std::exp(log_sum / kBleuOrder);
}

double BrevityPenalty(int64_t translation_len, int64_t reference_len) {
  if (translation_len == 0) return 0;
  if (translation_len >= reference_len) return 1;
  return std::exp(1 - static_cast<double>(reference_len) /
                          static_cast<double>(translation_len));
}

}  // namespace

std::vector<std::string> Tokenize13a(std::string_view line) {
  std::string text(1, ' ');  // the edges count as spaces
  for (const char c : Unescaped(line))
    IsApart(c) ? text += Spaced(" 1 ", c, c) : text += c;
  text += ' ';
  // A byte of a longer character is no digit and no point: pairs of bytes match
  // where pairs of characters do.
  text = RewritePairs(
      text, [](char a, char b) { return !IsDigit(a) && IsPointOrComma(b); },
      [](char a, char b) { return Spaced("1 2 ", a, b); });
  text = RewritePairs(
      text, [](char a, char b) { return IsPointOrComma(a) && !IsDigit(b); },
      [](char a, char b) { return Spaced(" 1 2", a, b); });
  text = RewritePairs(
      text, [](char a, char b) { return IsDigit(a) && b == '-'; },
      [](char a, char b) { return Spaced("1 2 ", a, b); });
  const auto words = SplitAtWhiteSpace(text);
  return {words.begin(), words.end()};
}

BleuScore Bleu(std::span<const std::string> translations,
               std::span<const std::string> references) {
  if (translations.size() != references.size()) {
    throw std::invalid_argument(
        "Bleu: " + std::to_string(translations.size()) + " translations, " +
        std::to_string(references.size()) + " references");
  }
  Matches matches;
  BleuScore score;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto translation = Tokenize13a(translations[i]);
    const auto reference = Tokenize13a(references[i]);
    score.translation_len += static_cast<int64_t>(translation.size());
    score.reference_len += static_cast<int64_t>(reference.size());
    AddMatches(translation, reference, matches);
  }
  score.precisions = Precisions(matches);
  score.brevity_penalty =
      BrevityPenalty(score.translation_len, score.reference_len);
  // Nothing right at all is 0, whatever smoothing makes of it.
  if (matches.correct != std::array<int64_t, kBleuOrder>{})
    score.bleu = score.brevity_penalty * GeometricMean(score.precisions);
  return score;
}

}  // namespace keylens::translator
