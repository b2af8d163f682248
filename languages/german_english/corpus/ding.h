#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_H_

#include <string_view>
#include <vector>

#include "languages/german_english/corpus/counts.h"
#include "languages/german_english/corpus/evidence.h"
#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// A term with one of its translations, and what speaks for it.
struct DingCandidate {
  Pair pair;
  double merit = 0;  // without the evidence of sentences
  bool specialist = false;
};

// What is in the dictionary: sentences, and the candidates for all other terms.
struct Ding {
  std::vector<Pair> sentences;
  std::vector<DingCandidate> candidates;
};

// Reads the dictionary (ParseDingLine, line by line) and cleans it: obsolete,
// regional English and vulgar synonyms are left out, choices expanded, unfit
// pairs (WhyUnfit) dropped. Each step is counted.
Ding ReadDing(std::string_view text, Counts& counts);

// One translation for each German term: that with the most merit and evidence.
struct ChosenTerms {
  std::vector<Pair> words;    // a single German word of everyday language
  std::vector<Pair> phrases;  // several, likewise
  std::vector<Pair> terms;    // what is left: compounds, rare words
};
ChosenTerms ChooseTranslations(std::vector<DingCandidate> candidates,
                               const Evidence& evidence, Counts& counts);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_H_
