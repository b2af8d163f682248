#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_TOP_TOKENS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_TOP_TOKENS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace keylens::translator {

struct TokenLogit {
  int32_t id = 0;
  float logit = 0;
};

// The `count` largest of `logits`, descending, ties to the lower id; those in
// `never`, and NaN, are left out. One pass, without sorting all.
std::vector<TokenLogit> TopTokens(std::span<const float> logits, int count,
                                  std::span<const int32_t> never);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_TOP_TOKENS_H_
