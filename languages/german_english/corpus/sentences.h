#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_SENTENCES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_SENTENCES_H_

#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/counts.h"
#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// The sentences of a plain text (ToPlainText), with their marks: a sentence
// ends at . ! or ?, with the quotes that close after it, before a space and an
// uppercase letter, a digit or an opening quote; not after three dots, an
// abbreviation, an initial or an ordinal number.
std::vector<std::string> SplitSentences(std::string_view text);

// What a program says, made ready for the data set: markup of the games, their
// contexts (`female^...`) and colours left out; paragraphs, then sentences
// paired where both sides have as many of them and each pair is fit, else kept
// whole. What is left unfit is dropped. Steps of `counts`: "messages", the
// reasons, "sentences".
std::vector<Pair> MessageToSentences(const Pair& message, Counts& counts);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_SENTENCES_H_
