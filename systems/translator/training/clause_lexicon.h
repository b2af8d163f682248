#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_CLAUSE_LEXICON_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_CLAUSE_LEXICON_H_

#include <span>
#include <string_view>

#include "src/random/random.h"
#include "systems/translator/training/phrase.h"
#include "systems/translator/training/random_names.h"

// The words of the sentences that SentenceComposer makes.

namespace keylens::translator {

enum class Person { kI, kYou, kHe, kPlural };  // kPlural: we and they

// What a verb takes besides its subject.
enum class Valency { kNothing, kThing, kPerson, kTowards, kWithin };

struct Verb {
  Valency valency = Valency::kNothing;
  bool moves = false;  // its perfect is made with "sein"
  std::string_view
      prefix;  // that leaves it in a main clause: "an" of "anrufen"
  // Without the prefix: of ich, du, er and wir.
  std::string_view german[4];
  std::string_view participle;                      // with the prefix
  std::string_view base, third, past, progressive;  // English
};

// "will kaufen": the finite verb, and what English says.
struct Modal {
  std::string_view german[4];
  std::string_view base, third;  // "want to", "wants to"; the same: no "does"
};

std::span<const Verb> Verbs();
std::span<const Modal> Modals();

struct Subject {
  Phrase phrase;  // as it stands within a sentence
  Person person = Person::kHe;
};

Subject RandomSubject(const RandomNames& names, Random& random);

struct Object {
  Phrase phrase;  // accusative
  bool pronoun = false;
};

Object RandomThing(Random& random);
Object RandomPerson(const RandomNames& names, Random& random);

// "mit Anna": "with Anna".
Phrase RandomCompany(const RandomNames& names, Random& random);

// "Der Film dauert 135 Minuten.": a whole sentence about a measure.
Phrase RandomMeasure(const RandomNames& names, Random& random);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_CLAUSE_LEXICON_H_
