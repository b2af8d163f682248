#include "systems/translator/lines/line_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

// Which alternative of each part, and what the whole is worth.
struct Combination {
  std::vector<std::size_t> choice;
  double log_prob = 0, score = 0;
};

// The best combinations: parts are independent, so that the best of the first
// few parts are made of the best of fewer.
std::vector<Combination> Combine(const std::vector<TranslatedPart>& parts,
                                 std::size_t wanted) {
  std::vector<Combination> best(1);
  for (const TranslatedPart& part : parts) {
    std::vector<Combination> longer;
    for (const Combination& combination : best) {
      for (std::size_t i = 0; i < part.alternatives.size(); ++i) {
        const Hypothesis& added = part.alternatives[i].hypothesis;
        Combination next = combination;
        next.choice.push_back(i);
        next.log_prob += added.log_prob;
        next.score += added.score;
        longer.push_back(std::move(next));
      }
    }
    std::stable_sort(longer.begin(), longer.end(),
                     [](const Combination& a, const Combination& b) {
                       return a.score > b.score;
                     });
    if (longer.size() > wanted) longer.resize(wanted);
    best = std::move(longer);
  }
  return best;
}

// The model begins everything like a sentence; what goes on within one in the
// source goes on so. A name that was given back stays as it is.
std::string Cased(const TranslatedPart& part, std::string_view line,
                  const LanguageRules& rules, const PartText& text) {
  const std::string& written = text.text.text();
  const auto source = CharactersOf(part.part.range.In(line));
  const bool is_given =
      !text.edits.empty() && text.edits.front().range.begin == 0;
  if (part.part.copied || part.part.begins_sentence || part.part.capitals ||
      is_given || written.empty() || written[0] < 'A' || written[0] > 'Z' ||
      !IsLower(source.front().code))
    return written;
  return rules.WithinSentence(written);
}

struct Joined {
  std::string text;
  std::vector<std::size_t> begins;  // of each part, in bytes
};

Joined Join(std::string_view line, const std::vector<TranslatedPart>& parts,
            const LanguageRules& rules,
            const std::vector<std::size_t>& choice) {
  Joined joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      const std::size_t end = parts[i - 1].part.range.end;
      joined.text += line.substr(end, parts[i].part.range.begin - end);
    }
    joined.begins.push_back(joined.text.size());
    joined.text +=
        Cased(parts[i], line, rules, parts[i].alternatives[choice[i]]);
  }
  return joined;
}

// The index of the word that byte `at` is in, or of the next.
int64_t WordIndexAt(std::string_view text, std::size_t at) {
  int64_t index = 0;
  for (const std::string_view word : SplitAtWhiteSpace(text)) {
    const auto end =
        static_cast<std::size_t>(word.data() - text.data()) + word.size();
    if (end > at) break;
    ++index;
  }
  return index;
}

// Log-probabilities, summed and counted.
struct LogProbs {
  double sum = 0;
  int64_t count = 0;

  void Add(float log_prob) {
    sum += static_cast<double>(log_prob);
    ++count;
  }
  double GeometricMean() const {
    return count == 0 ? 1 : std::exp(sum / static_cast<double>(count));
  }
};

void AddConfidence(const std::vector<TranslatedPart>& parts,
                   const Joined& joined, Translation& translation) {
  LogProbs all;
  std::vector<LogProbs> of_words(translation.words.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Hypothesis& best = parts[i].alternatives[0].hypothesis;
    const int64_t first = WordIndexAt(joined.text, joined.begins[i]);
    for (std::size_t piece = 0; piece < best.log_probs.size(); ++piece) {
      all.Add(best.log_probs[piece]);
      if (piece >= parts[i].piece_words.size()) continue;  // the end
      const auto word =
          static_cast<std::size_t>(first + parts[i].piece_words[piece]);
      if (word < of_words.size()) of_words[word].Add(best.log_probs[piece]);
    }
  }
  translation.confidence = all.GeometricMean();
  for (std::size_t w = 0; w < of_words.size(); ++w)
    translation.words[w].confidence = of_words[w].GeometricMean();
}

void AddAlignment(std::string_view line,
                  const std::vector<TranslatedPart>& parts,
                  const Joined& joined, Translation& translation) {
  const auto sources = static_cast<int64_t>(SplitAtWhiteSpace(line).size());
  const auto targets = static_cast<int64_t>(translation.words.size());
  double entropy = 0;
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int64_t target = WordIndexAt(joined.text, joined.begins[i]);
    for (const WordLink& link : parts[i].links) {
      const WordLink placed = {link.source, target + link.target};
      if (placed.source < sources && placed.target < targets)
        translation.alignment.push_back(placed);
    }
    entropy += parts[i].entropy_sum;
    pieces += parts[i].piece_words.size();
  }
  std::sort(translation.alignment.begin(), translation.alignment.end());
  translation.alignment.erase(
      std::unique(translation.alignment.begin(), translation.alignment.end()),
      translation.alignment.end());
  if (pieces > 0)
    translation.alignment_entropy = entropy / static_cast<double>(pieces);
}

}  // namespace

TranslatedPart TranslatedPart::From(LinePart part) {
  TranslatedPart translated;
  if (part.copied) {
    translated.state = PartState::kDone;
    translated.alternatives.push_back(
        {part.copy, {}, EditedText(part.copy, {}), {}});
  }
  translated.part = std::move(part);
  return translated;
}

Translation JoinParts(std::string_view line,
                      const std::vector<TranslatedPart>& parts,
                      const LanguageRules& rules, int nbest) {
  Translation translation;
  translation.source = std::string(line);
  for (const Combination& combination :
       Combine(parts, static_cast<std::size_t>(nbest))) {
    translation.nbest.push_back(
        {Join(line, parts, rules, combination.choice).text,
         combination.log_prob, combination.score});
  }
  const Joined joined =
      Join(line, parts, rules, std::vector<std::size_t>(parts.size()));
  translation.text = joined.text;
  translation.log_prob = translation.nbest[0].log_prob;
  translation.score = translation.nbest[0].score;
  for (const std::string_view word : SplitAtWhiteSpace(translation.text))
    translation.words.push_back({std::string(word), 1});
  for (const TranslatedPart& part : parts) {
    if (part.part.copied) continue;
    const PartText& best = part.alternatives[0];
    translation.calls.push_back({part.part.source,
                                 std::string(part.part.range.In(line)),
                                 best.hypothesis.ids, best.text});
  }
  AddConfidence(parts, joined, translation);
  AddAlignment(line, parts, joined, translation);
  return translation;
}

}  // namespace keylens::translator
