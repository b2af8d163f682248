#include "systems/translator/scores/chrf.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "src/base/utf8.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kOrder = 6;
constexpr double kBeta = 2;

struct OrderCounts {
  int64_t translation = 0, reference = 0, matches = 0;
};

std::u32string Characters(std::string_view text) {
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    if (!IsWhiteSpace(character.code)) characters += character.code;
    at += character.length;
  }
  return characters;
}

using NgramCounts = std::unordered_map<std::u32string_view, int64_t>;

NgramCounts CountNgrams(std::u32string_view text, std::size_t order) {
  NgramCounts counts;
  for (std::size_t end = order; end <= text.size(); ++end)
    ++counts[text.substr(end - order, order)];
  return counts;
}

int64_t NumNgrams(std::u32string_view text, std::size_t order) {
  return text.size() < order ? 0
                             : static_cast<int64_t>(text.size() - order + 1);
}

void AddCounts(std::u32string_view translation, std::u32string_view reference,
               std::size_t order, OrderCounts& counts) {
  // sacrebleu counts no n-gram that the reference could not have.
  if (reference.size() < order) return;
  counts.translation += NumNgrams(translation, order);
  counts.reference += NumNgrams(reference, order);
  const NgramCounts expected = CountNgrams(reference, order);
  for (const auto& [ngram, count] : CountNgrams(translation, order)) {
    const auto found = expected.find(ngram);
    if (found != expected.end())
      counts.matches += std::min(count, found->second);
  }
}

double ScoreOf(const std::array<OrderCounts, kOrder>& orders) {
  double precision = 0, recall = 0;
  int used = 0;
  for (const OrderCounts& counts : orders) {
    if (counts.translation == 0 || counts.reference == 0) continue;
    const auto matches = static_cast<double>(counts.matches);
    precision += matches / static_cast<double>(counts.translation);
    recall += matches / static_cast<double>(counts.reference);
    ++used;
  }
  if (precision + recall == 0) return 0;
  precision /= used;
  recall /= used;
  constexpr double kFactor = kBeta * kBeta;
  return 100 * (1 + kFactor) * precision * recall /
         (kFactor * precision + recall);
}

}  // namespace

double Chrf(std::span<const std::string> translations,
            std::span<const std::string> references) {
  if (translations.size() != references.size()) {
    throw std::invalid_argument(
        "Chrf: " + std::to_string(translations.size()) + " translations, " +
        std::to_string(references.size()) + " references");
  }
  std::array<OrderCounts, kOrder> orders;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const std::u32string translation = Characters(translations[i]);
    const std::u32string reference = Characters(references[i]);
    for (std::size_t order = 1; order <= kOrder; ++order)
      AddCounts(translation, reference, order, orders[order - 1]);
  }
  return ScoreOf(orders);
}

}  // namespace keylens::translator
