#include "systems/translator/looking/lexical_alignment.h"

#include <cctype>
#include <cstddef>
#include <utility>

#include "systems/translator/text/characters.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr int32_t kEmptyWord = 0;
constexpr int32_t kUnknownWord = 1;

uint64_t Key(int32_t from, int32_t to) {
  return static_cast<uint64_t>(from) << 32 | static_cast<uint64_t>(to);
}

int32_t FromOf(uint64_t key) { return static_cast<int32_t>(key >> 32); }

std::vector<std::string> PlainWords(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : SplitAtWhiteSpace(text)) {
    std::string plain;
    for (const PlacedCharacter& c : CharactersOf(word)) {
      if (IsPunctuation(c.code)) continue;
      for (std::size_t i = c.begin; i < c.end; ++i)
        plain += static_cast<char>(
            std::tolower(static_cast<unsigned char>(word[i])));
    }
    words.push_back(std::move(plain));
  }
  return words;
}

}  // namespace

WordPair WordsOfPair(std::string_view source, std::string_view target) {
  return {PlainWords(source), PlainWords(target)};
}

LexicalAligner::LexicalAligner(std::span<const WordPair> pairs, int rounds) {
  for (const WordPair& pair : pairs) {
    for (const auto* side : {&pair.source, &pair.target}) {
      for (const std::string& word : *side) {
        number_of_word_.emplace(
            word, static_cast<int32_t>(number_of_word_.size()) + 2);
      }
    }
  }
  std::vector<Ids> ids;
  for (const WordPair& pair : pairs)
    ids.push_back(IdsOf(pair.source, pair.target));
  forward_ = Learn(ids, rounds);
  ids.clear();
  for (const WordPair& pair : pairs)
    ids.push_back(IdsOf(pair.target, pair.source));
  backward_ = Learn(ids, rounds);
}

LexicalAligner::Ids LexicalAligner::IdsOf(
    const std::vector<std::string>& from,
    const std::vector<std::string>& to) const {
  const auto number = [&](const std::string& word) {
    const auto found = number_of_word_.find(word);
    return found == number_of_word_.end() ? kUnknownWord : found->second;
  };
  Ids ids;
  ids.from.push_back(kEmptyWord);
  for (const std::string& word : from) ids.from.push_back(number(word));
  for (const std::string& word : to) ids.to.push_back(number(word));
  return ids;
}

LexicalAligner::Table LexicalAligner::Learn(const std::vector<Ids>& pairs,
                                            int rounds) {
  Table table;
  for (const Ids& ids : pairs) {
    for (const int32_t from : ids.from)
      for (const int32_t to : ids.to) table[Key(from, to)] = 1;
  }
  for (int round = 0; round < rounds; ++round) {
    Table counts;
    std::unordered_map<int32_t, double> totals;
    for (const Ids& ids : pairs) {
      for (const int32_t to : ids.to) {
        double sum = 0;
        for (const int32_t from : ids.from) sum += table[Key(from, to)];
        for (const int32_t from : ids.from) {
          const double share = table[Key(from, to)] / sum;
          counts[Key(from, to)] += share;
          totals[from] += share;
        }
      }
    }
    for (auto& [key, count] : counts) count /= totals[FromOf(key)];
    table = std::move(counts);
  }
  return table;
}

// For each word of `to`, the place of the likeliest in `from`; 0 is the empty
// word.
std::vector<int64_t> LexicalAligner::Likeliest(const Table& table,
                                               const Ids& ids) {
  std::vector<int64_t> best;
  for (const int32_t to : ids.to) {
    double highest = 0;
    best.push_back(0);
    for (std::size_t i = 0; i < ids.from.size(); ++i) {
      const auto found = table.find(Key(ids.from[i], to));
      if (found == table.end() || found->second <= highest) continue;
      highest = found->second;
      best.back() = static_cast<int64_t>(i);
    }
  }
  return best;
}

std::vector<WordLink> LexicalAligner::Links(const WordPair& pair) const {
  const auto sources = Likeliest(forward_, IdsOf(pair.source, pair.target));
  const auto targets = Likeliest(backward_, IdsOf(pair.target, pair.source));
  std::vector<WordLink> links;
  for (std::size_t target = 0; target < sources.size(); ++target) {
    const int64_t source = sources[target] - 1;
    if (source >= 0 && targets[static_cast<std::size_t>(source)] - 1 ==
                           static_cast<int64_t>(target))
      links.push_back({source, static_cast<int64_t>(target)});
  }
  return links;
}

}  // namespace keylens::translator
