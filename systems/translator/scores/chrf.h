#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SCORES_CHRF_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SCORES_CHRF_H_

#include <span>
#include <string>

namespace keylens::translator {

// chrF2 of a corpus (Popović 2015) with one reference, 0 to 100, as sacrebleu
// computes it with its defaults: n-grams of 1 to 6 characters, white space left
// out, case kept, recall weighing twice as much as precision; counts are summed
// over the corpus, precision and recall averaged over the orders that both
// sides have. Throws std::invalid_argument unless there are as many references
// as translations.
double Chrf(std::span<const std::string> translations,
            std::span<const std::string> references);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SCORES_CHRF_H_
