#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_LINE_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_LINE_H_

#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/counts.h"

namespace keylens::german_english {

// One way of saying something, freed of what a dictionary writes around it.
struct DingTerm {
  std::string text;                  // "Haus", "to build a house"
  std::vector<std::string> labels;   // of its [...]: "cook.", "Br."
  std::vector<std::string> grammar;  // of its {...}: "m", "pl", "vt"
};

// What the two sides of a `|` part of a line say: each a list of synonyms, the
// first the most usual. Neither is empty.
struct DingEntry {
  bool is_headword = false;  // the first part of its line
  std::vector<DingTerm> german;
  std::vector<DingTerm> english;
};

// The parts of a line of the dictionary Ding (trans-de-en),
//
//   Apfel {m} [bot.] | Äpfel {pl} | einen Apfel schälen ::
//   apple | apples | to peel an apple
//
// German before ` :: `, and `|` between as many parts on both sides. The first
// is the headword. Within a part, `;` stands between synonyms; notes are
// written in (), field and register in [], grammar in {}, other spellings in
// <>, abbreviations between slashes. A synonym is left out where freeing it
// leaves doubt about what remains: brackets that do not match, an ellipsis, a
// part of a word ("Fest..."), a choice between phrases (" / ").
//
// Of a line whose sides have not as many parts the headword is kept alone; a
// comment (`#`) has none. Names of biological orders, families and genera are
// labelled "taxon". Steps of `counts`: "lines", "lines without two sides",
// "lines with other parts on the two sides, headword kept", "parts", "parts
// with nothing left on a side".
std::vector<DingEntry> ParseDingLine(std::string_view line, Counts& counts);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_DING_LINE_H_
