#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_SEARCH_OPTIONS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_SEARCH_OPTIONS_H_

#include <cstdint>
#include <vector>

namespace keylens::translator {

struct SearchOptions {
  int beam = 4;   // hypotheses that are followed; 1 is greedy
  int nbest = 1;  // of those that ended, how many are wanted; at most `beam`
  // Scores are log-probabilities over ((5 + length) / 6)^length_penalty (Wu et
  // al. 2016), so that longer translations are not at a disadvantage.
  double length_penalty = 0.6;
};

// A translation as pieces.
struct Hypothesis {
  std::vector<int32_t> ids;      // without the end token
  std::vector<float> log_probs;  // of each piece, then of the end
  double log_prob = 0;           // their sum
  double score = 0;              // what hypotheses are ordered by
};

// Tokens with a meaning of their own.
struct SpecialTokens {
  int32_t start = -1, end = -1;
  std::vector<int32_t> never;  // what no translation may contain
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_SEARCH_OPTIONS_H_
