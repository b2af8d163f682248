#include "systems/translator/training/sentence_composer.h"

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/text/text_words.h"
#include "systems/translator/training/clause_lexicon.h"
#include "systems/translator/training/phrase.h"
#include "systems/translator/training/random_phrases.h"

namespace keylens::translator {
namespace {

std::string Joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

enum class Tense { kPresent, kFuture, kPast, kModal, kSince };

// All that a clause says, before it is put in order.
struct Clause {
  Subject subject;
  const Verb* verb = nullptr;
  const Modal* modal = nullptr;
  Tense tense = Tense::kPresent;
  bool negated = false;
  Object object;
  Phrase time, place, company, goal;  // empty where there is none
};

constexpr std::string_view kHave[] = {"habe", "hast", "hat", "haben"};
constexpr std::string_view kBe[] = {"bin", "bist", "ist", "sind"};

std::string_view FormOf(const std::string_view (&forms)[4], Person person) {
  return forms[static_cast<std::size_t>(person)];
}

bool IsThird(const Clause& clause) {
  return clause.subject.person == Person::kHe;
}

std::string_view Finite(const Clause& clause) {
  const Person person = clause.subject.person;
  if (clause.tense == Tense::kPast)
    return FormOf(clause.verb->moves ? kBe : kHave, person);
  return FormOf(
      clause.modal != nullptr ? clause.modal->german : clause.verb->german,
      person);
}

// What stands at the end of a main clause.
std::string Tail(const Clause& clause) {
  const Verb& verb = *clause.verb;
  if (clause.tense == Tense::kPast) return std::string(verb.participle);
  if (clause.modal == nullptr) return std::string(verb.prefix);
  return std::string(verb.prefix) + std::string(verb.german[3]);
}

// What stands between the finite verb, or the subject, and the tail.
std::string Middle(const Clause& clause, bool with_time) {
  const std::string& object = clause.object.phrase.german;
  return Joined({clause.object.pronoun ? object : "",
                 with_time ? clause.time.german : "", clause.company.german,
                 clause.negated ? "nicht" : "", clause.place.german,
                 clause.object.pronoun ? "" : object, clause.goal.german});
}

std::string GermanMain(const Clause& clause) {
  return Joined({clause.subject.phrase.german, Finite(clause),
                 Middle(clause, true), Tail(clause)});
}

// After something that takes the first place; the time may be that.
std::string GermanInverted(const Clause& clause, bool with_time) {
  return Joined({Finite(clause), clause.subject.phrase.german,
                 Middle(clause, with_time), Tail(clause)});
}

std::string GermanSubordinate(const Clause& clause) {
  const std::string middle =
      Joined({clause.subject.phrase.german, Middle(clause, true)});
  if (clause.tense != Tense::kPast && clause.modal == nullptr)
    return middle + " " + Tail(clause) + std::string(Finite(clause));
  return Joined({middle, Tail(clause), Finite(clause)});
}

// The auxiliary of English questions and negations, and what is left behind.
struct EnglishVerb {
  std::string auxiliary;  // may be empty in a statement
  std::string rest;
};

EnglishVerb WithAuxiliary(const Clause& clause) {
  const Verb& verb = *clause.verb;
  const std::string base(verb.base);
  const std::string does = IsThird(clause) ? "does" : "do";
  switch (clause.tense) {
    case Tense::kPast:
      return {"did", base};
    case Tense::kFuture:
      return {"will", base};
    case Tense::kSince:
      return {IsThird(clause) ? "has" : "have",
              "been " + std::string(verb.progressive)};
    case Tense::kModal: {
      const std::string modal(clause.modal->base);
      if (clause.modal->base != clause.modal->third)
        return {does, modal + " " + base};
      const std::size_t space = modal.find(' ');  // "would" of "would like to"
      const std::string rest =
          space == modal.npos ? "" : modal.substr(space + 1) + " ";
      return {modal.substr(0, space), rest + base};
    }
    case Tense::kPresent:
      break;
  }
  return {does, base};
}

// Of a statement that is not negated.
std::string EnglishPredicate(const Clause& clause) {
  const Verb& verb = *clause.verb;
  if (clause.tense == Tense::kPast) return std::string(verb.past);
  if (clause.tense == Tense::kPresent)
    return std::string(IsThird(clause) ? verb.third : verb.base);
  if (clause.tense == Tense::kModal) {
    return Joined({IsThird(clause) ? clause.modal->third : clause.modal->base,
                   verb.base});
  }
  const EnglishVerb parts = WithAuxiliary(clause);
  return parts.auxiliary + " " + parts.rest;
}

// The object, which parts "pick up" and "take along".
std::string WithObject(const std::string& predicate, const Clause& clause) {
  const std::string& object = clause.object.phrase.english;
  for (const std::string_view particle : {" up", " along"}) {
    if (object.empty() || !predicate.ends_with(particle)) continue;
    return Joined({predicate.substr(0, predicate.size() - particle.size()),
                   object, particle.substr(1)});
  }
  return Joined({predicate, object});
}

std::string EnglishAdverbials(const Clause& clause, bool with_time) {
  return Joined({clause.goal.english, clause.place.english,
                 clause.company.english, with_time ? clause.time.english : ""});
}

std::string EnglishMain(const Clause& clause, bool with_time) {
  std::string predicate = EnglishPredicate(clause);
  if (clause.negated) {
    const EnglishVerb parts = WithAuxiliary(clause);
    predicate = parts.auxiliary +
                (parts.auxiliary == "can" ? "not " : " not ") + parts.rest;
  }
  return Joined({clause.subject.phrase.english, WithObject(predicate, clause),
                 EnglishAdverbials(clause, with_time)});
}

std::string EnglishQuestion(const Clause& clause) {
  const EnglishVerb parts = WithAuxiliary(clause);
  return Joined({parts.auxiliary, clause.subject.phrase.english,
                 WithObject(parts.rest, clause),
                 EnglishAdverbials(clause, true)});
}

Tense RandomTense(const Verb& verb, Random& random) {
  const double kind = random.Uniform();
  const bool lasts =
      verb.valency == Valency::kNothing || verb.valency == Valency::kWithin;
  if (kind < 0.5) return Tense::kPast;
  if (kind < 0.6) return Tense::kFuture;
  if (kind < 0.8) return Tense::kModal;
  if (kind < 0.9 && lasts && !verb.moves) return Tense::kSince;
  return Tense::kPresent;
}

Phrase RandomTimeFor(Tense tense, Random& random) {
  switch (tense) {
    case Tense::kSince:
      return RandomSince(random);
    case Tense::kPast:
      return Happens(0.75, random) ? RandomTime(When::kPast, random) : Phrase();
    case Tense::kFuture:
      return RandomTime(When::kFuture, random);
    case Tense::kModal:
      return Happens(0.6, random) ? RandomTime(When::kFuture, random)
                                  : Phrase();
    case Tense::kPresent:
      break;
  }
  return {};
}

Clause RandomClause(const RandomNames& names, Random& random) {
  Clause clause;
  clause.subject = RandomSubject(names, random);
  clause.verb = &OneOf(Verbs(), random);
  const Valency valency = clause.verb->valency;
  clause.tense = RandomTense(*clause.verb, random);
  if (clause.tense == Tense::kModal) {
    clause.modal = &OneOf(Modals(), random);
    // "wird ... kaufen" is no other future than "kauft morgen".
    if (clause.modal->base == "will") clause.tense = Tense::kFuture;
  }
  clause.time = RandomTimeFor(clause.tense, random);
  if (valency == Valency::kThing) clause.object = RandomThing(random);
  if (valency == Valency::kPerson) clause.object = RandomPerson(names, random);
  const Phrase place = names.PlaceInBoth(random);
  if (valency == Valency::kTowards)
    clause.goal = {"nach " + place.german, "to " + place.english};
  if (valency == Valency::kWithin || Happens(0.25, random)) {
    if (valency != Valency::kTowards)
      clause.place = {"in " + place.german, "in " + place.english};
  }
  if (Happens(0.25, random)) clause.company = RandomCompany(names, random);
  const bool has_object = !clause.object.phrase.german.empty();
  clause.negated = (!has_object || clause.object.pronoun) &&
                   clause.tense != Tense::kSince && Happens(0.12, random);
  return clause;
}

Phrase Main(const RandomNames& names, Random& random) {
  const Clause clause = RandomClause(names, random);
  return {GermanMain(clause), EnglishMain(clause, true)};
}

Phrase Subordinate(const RandomNames& names, Random& random) {
  const Clause clause = RandomClause(names, random);
  return {GermanSubordinate(clause), EnglishMain(clause, true)};
}

// The time first, if there is one.
Phrase Fronted(const RandomNames& names, Random& random) {
  const Clause clause = RandomClause(names, random);
  if (clause.time.german.empty())
    return {GermanMain(clause), EnglishMain(clause, true)};
  return {clause.time.german + " " + GermanInverted(clause, false),
          clause.time.english + ", " + EnglishMain(clause, false)};
}

Phrase Question(const RandomNames& names, Random& random) {
  Clause clause = RandomClause(names, random);
  clause.negated = false;
  return {GermanInverted(clause, true), EnglishQuestion(clause)};
}

Phrase Conditional(const RandomNames& names, Random& random) {
  const Phrase condition = Subordinate(names, random);
  const Clause clause = RandomClause(names, random);
  return {"wenn " + condition.german + ", " + GermanInverted(clause, true),
          "if " + condition.english + ", " + EnglishMain(clause, true)};
}

const Phrase kLinks[] = {{", weil ", " because "},
                         {", obwohl ", " although "},
                         {", wenn ", " if "},
                         {", bevor ", " before "},
                         {", nachdem ", " after "}};

const Phrase kReports[] = {
    {" hat gesagt, dass ", " said that "}, {" sagt, dass ", " says that "},
    {" glaubt, dass ", " thinks that "},   {" weiß, dass ", " knows that "},
    {" hat gefragt, ob ", " asked if "},   {" hofft, dass ", " hopes that "}};

Phrase Linked(const Phrase& first, const Phrase& link, const Phrase& second) {
  return {first.german + link.german + second.german,
          first.english + link.english + second.english};
}

Phrase Report(const RandomNames& names, Random& random) {
  Subject speaker = RandomSubject(names, random);
  while (speaker.person != Person::kHe) speaker = RandomSubject(names, random);
  const Phrase& report = OneOf(kReports, random);
  return Linked(speaker.phrase, report, Subordinate(names, random));
}

SentencePair Sentence(const Phrase& phrase, char mark) {
  return {WithCapitalInitial(phrase.german) + mark,
          WithCapitalInitial(phrase.english) + mark, 1};
}

}  // namespace

SentencePair SentenceComposer::Compose(Random& random) const {
  const double kind = random.Uniform();
  if (kind < 0.08) {
    const Phrase measure = RandomMeasure(names_, random);
    return {measure.german, measure.english, 1};
  }
  if (kind < 0.35) return Sentence(Main(names_, random), '.');
  if (kind < 0.55) return Sentence(Fronted(names_, random), '.');
  if (kind < 0.65) return Sentence(Question(names_, random), '?');
  if (kind < 0.75) return Sentence(Report(names_, random), '.');
  if (kind < 0.8) return Sentence(Conditional(names_, random), '.');
  if (kind < 0.9) {
    return Sentence(Linked(Main(names_, random), OneOf(kLinks, random),
                           Subordinate(names_, random)),
                    '.');
  }
  return Sentence(Linked(Main(names_, random),
                         Happens(0.7, random) ? Phrase{" und ", " and "}
                                              : Phrase{", aber ", ", but "},
                         Main(names_, random)),
                  '.');
}

}  // namespace keylens::translator
