#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SCORES_BLEU_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SCORES_BLEU_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keylens::translator {

inline constexpr int kBleuOrder = 4;

// BLEU of a corpus and what it is made of.
struct BleuScore {
  double bleu = 0;                            // 0 to 100
  std::array<double, kBleuOrder> precisions;  // of 1- to 4-grams, 0 to 100
  double brevity_penalty = 0;                 // 0 to 1
  int64_t translation_len = 0;                // tokens
  int64_t reference_len = 0;
};

// BLEU (Papineni et al. 2002) with one reference, as sacrebleu computes it with
// its defaults: 13a tokens, case kept, and a precision of 0 replaced by 1 /
// (2^k total), k counting such orders ("exp" smoothing). Throws
// std::invalid_argument unless there are as many references as translations.
BleuScore Bleu(std::span<const std::string> translations,
               std::span<const std::string> references);

// The tokens of mteval-v13a, as sacrebleu reads it: punctuation apart, except
// for points and commas within numbers, apostrophes, and hyphens not after a
// digit.
std::vector<std::string> Tokenize13a(std::string_view line);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SCORES_BLEU_H_
