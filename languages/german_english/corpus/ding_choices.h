#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_CHOICES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_CHOICES_H_

#include <string>
#include <vector>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// The pairs that a pair of Ding's terms stands for.
//
// A choice between words ("schwere/harte Zeiten") on the German side alone
// gives a pair for each; on both sides, with as many words to choose from, the
// first goes with the first and so on. Any other choice gives no pair at all:
// "to get/be given" does not say how far a choice reaches; nor do hyphens
// ("Internet/Online-Tagebuch"). More than eight pairs are none.
//
// Ding's stand-ins are written out ("jdm." is "jemandem", "sth." is
// "something"), or left out where they say no more than that a verb takes
// objects: "jdm. etw. schenken", "to give sb. sth." is "schenken", "to give".
std::vector<Pair> ExpandChoices(const Pair& terms);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_CHOICES_H_
