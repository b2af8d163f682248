#include "languages/german_english/variety/substitution.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "languages/german_english/variety/phrase.h"
#include "languages/german_english/variety/random_phrases.h"
#include "systems/translator/text/text_words.h"

namespace keylens::german_english {
namespace {

using translator::CharactersOf;
using translator::IsUpper;
using translator::LooksLikeName;
using translator::PlacesOf;
using translator::TextRange;
using translator::TextWords;
using translator::WithCapitalInitial;
using translator::WithReplaced;
using translator::WithSmallInitial;

// How often what can be replaced is.
constexpr double kShare = 0.75;

std::optional<TextRange> OnlyPlaceOf(std::string_view text,
                                     std::string_view word) {
  const std::vector<TextRange> places = PlacesOf(text, word);
  if (places.size() != 1) return std::nullopt;
  return places[0];
}

bool IsNumber(std::string_view word) {
  return !word.empty() && word[0] >= '0' && word[0] <= '9';
}

// Capitalised on both sides, but no names of the kind that may be anything.
constexpr std::string_view kNoNames[] = {
    "April", "August",    "September", "November", "Gott",
    "God",   "Christmas", "Internet",  "Computer", "Samstag"};

struct Sightings {
  int inside = 0;   // on both sides of a pair, and not first in English
  int capital = 0;  // in English, of all
  int small = 0;
};

// Of a word that is in small letters now and then ("a tom cat"), most must be
// names.
constexpr int kCapitalsForEachSmall = 20;

bool IsNameBy(const Sightings& seen) {
  return seen.inside > 0 && seen.capital >= kCapitalsForEachSmall * seen.small;
}

std::set<std::string, std::less<>> FindNames(
    std::span<const SentencePair> text) {
  std::map<std::string, Sightings, std::less<>> sightings;  // by small letters
  for (const SentencePair& pair : text) {
    const std::vector<TextRange> words = TextWords(pair.target);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i].In(pair.target);
      Sightings& seen = sightings[WithSmallInitial(word)];
      if (!LooksLikeName(word)) {
        ++seen.small;
        continue;
      }
      ++seen.capital;
      if (i > 0 && !PlacesOf(pair.source, word).empty()) ++seen.inside;
    }
  }
  std::set<std::string, std::less<>> names;
  for (const auto& [word, seen] : sightings) {
    const std::string name = WithCapitalInitial(word);
    const bool excluded = std::find(std::begin(kNoNames), std::end(kNoNames),
                                    name) != std::end(kNoNames);
    if (IsNameBy(seen) && !excluded) names.insert(name);
  }
  return names;
}

// "Toms": German adds an s, and to a name that ends in one an apostrophe.
std::string Genitive(const std::string& name) {
  const bool sibilant = name.ends_with('s') || name.ends_with('x') ||
                        name.ends_with('z') || name.ends_with("ß");
  return name + (sibilant ? "'" : "s");
}

// One side of a word that gives its place to something else. A word may have to
// be the first of its sentence, or not to be it.
struct Slot {
  std::string_view german, english;
};

// What takes the place, as it stands within a sentence.
using Maker = Phrase (*)(const RandomNames& names, Random& random);

Phrase Same(const std::string& text) { return {text, text}; }

// A man's name; `title`: "Herr ", or "Herrn " where he is an object.
Phrase ManCalled(const RandomNames& names, const std::string& title,
                 Random& random) {
  if (Happens(0.7, random)) return Same(names.FirstName(random));
  const std::string surname = names.Surname(random);
  return {title + surname, "Mr. " + surname};
}

Phrase Man(const RandomNames& names, Random& random) {
  return ManCalled(names, "Herr ", random);
}

Phrase ManAsObject(const RandomNames& names, Random& random) {
  return ManCalled(names, "Herrn ", random);
}

Phrase Woman(const RandomNames& names, Random& random) {
  if (Happens(0.7, random)) return Same(names.FirstName(random));
  const std::string surname = names.Surname(random);
  return {"Frau " + surname, "Mrs. " + surname};
}

Phrase InPlace(const RandomNames& names, Random& random) {
  const Phrase place = names.PlaceInBoth(random);
  return {"in " + place.german, "in " + place.english};
}

Phrase ToPlace(const RandomNames& names, Random& random) {
  const Phrase place = names.PlaceInBoth(random);
  return {"nach " + place.german, "to " + place.english};
}

Phrase Past(const RandomNames&, Random& random) {
  return RandomTime(When::kPast, random);
}
Phrase Future(const RandomNames&, Random& random) {
  return RandomTime(When::kFuture, random);
}
Phrase Either(const RandomNames&, Random& random) {
  return RandomTime(When::kEither, random);
}
Phrase Number(const RandomNames&, Random& random) {
  return RandomNumber(random);
}

struct Rule {
  Slot slot;
  Maker make = nullptr;
};

// Capitalised words begin a sentence on both sides.
constexpr Rule kRules[] = {
    {{"Er", "He"}, Man},
    {{"Sie", "She"}, Woman},
    {{"ihn", "him"}, ManAsObject},
    {{"ihm", "him"}, ManAsObject},
    {{"ihr", "her"}, Woman},
    {{"hier", "here"}, InPlace},
    {{"dort", "there"}, InPlace},
    {{"nach Hause", "home"}, ToPlace},
    {{"gestern", "yesterday"}, Past},
    {{"Gestern", "yesterday"}, Past},
    {{"morgen", "tomorrow"}, Future},
    {{"Morgen", "tomorrow"}, Future},
    {{"heute", "today"}, Either},
    {{"Heute", "today"}, Either},
    {{"zwei", "two"}, Number},
    {{"drei", "three"}, Number},
    {{"vier", "four"}, Number},
    {{"fünf", "five"}, Number},
    {{"sechs", "six"}, Number},
    {{"sieben", "seven"}, Number},
    {{"acht", "eight"}, Number},
    {{"neun", "nine"}, Number},
    {{"zehn", "ten"}, Number},
    {{"zwölf", "twelve"}, Number},
    {{"zwanzig", "twenty"}, Number},
    {{"dreißig", "thirty"}, Number},
};

// Words that with one of kRules say something else: "heute Abend", "es gibt
// dort", "um acht Uhr".
constexpr std::string_view kBesideGerman[] = {
    "Abend", "Morgen", "Mittag", "Nachmittag", "Nacht", "Vormittag", "früh",
    "Uhr",   "halb",   "von",    "bis",        "drin",  "es"};

// The place of a rule's German words, unless there are more, or words beside
// them that change what they say.
std::optional<TextRange> GermanPlace(std::string_view text,
                                     std::string_view german) {
  const std::size_t space = german.find(' ');
  std::optional<TextRange> place = OnlyPlaceOf(text, german.substr(0, space));
  if (!place) return std::nullopt;
  if (space != german.npos) {
    if (!text.substr(place->begin).starts_with(german)) return std::nullopt;
    place->end = place->begin + german.size();
  }
  const std::vector<TextRange> words = TextWords(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool beside = (i > 0 && words[i - 1].begin == place->begin) ||
                        (i + 1 < words.size() && words[i + 1] == *place);
    if (beside && std::find(std::begin(kBesideGerman), std::end(kBesideGerman),
                            words[i].In(text)) != std::end(kBesideGerman))
      return std::nullopt;
  }
  return place;
}

bool IsCapital(std::string_view word) {
  return IsUpper(CharactersOf(word).front().code);
}

// Applies `rule` where it can be; whether it was.
bool ApplyRule(const Rule& rule, const RandomNames& names, SentencePair& pair,
               Random& random) {
  const auto english = OnlyPlaceOf(pair.target, rule.slot.english);
  if (!english) return false;
  const auto german = GermanPlace(pair.source, rule.slot.german);
  if (!german || !Happens(kShare, random)) return false;
  const bool first = IsCapital(rule.slot.german);
  if (first != (german->begin == 0)) return false;
  // "He's", "him'll": what hangs on a word belongs to it.
  if (pair.target.substr(english->end).starts_with("'")) return false;
  Phrase phrase = rule.make(names, random);
  if (first) phrase.german = WithCapitalInitial(phrase.german);
  if (english->begin == 0) phrase.english = WithCapitalInitial(phrase.english);
  pair.source = WithReplaced(pair.source, *german, phrase.german);
  pair.target = WithReplaced(pair.target, *english, phrase.english);
  return true;
}

// The same number on both sides; one of a date or a clock time stays, for not
// every number will do there.
bool ReplaceDigits(SentencePair& pair, Random& random) {
  for (const TextRange& range : TextWords(pair.source)) {
    const std::string word(range.In(pair.source));
    const std::string_view after =
        std::string_view(pair.source).substr(range.end);
    if (!IsNumber(word) || after.starts_with(".") || after.starts_with(" Uhr"))
      continue;
    const auto german = OnlyPlaceOf(pair.source, word);
    const auto english = OnlyPlaceOf(pair.target, word);
    if (!german || !english || !Happens(kShare, random)) continue;
    const bool measured =
        after.starts_with(" Euro") || after.starts_with(" Dollar") ||
        after.starts_with(" Kilo") || after.starts_with(" Meter") ||
        after.starts_with(" Grad");
    const Phrase number = measured && Happens(0.4, random)
                              ? RandomDecimal(random)
                              : RandomNumber(random);
    pair.source = WithReplaced(pair.source, *german, number.german);
    pair.target = WithReplaced(pair.target, *english, number.english);
    return true;
  }
  return false;
}

}  // namespace

Substitution::Substitution(std::span<const SentencePair> text)
    : names_(text), known_(FindNames(text)) {}

bool Substitution::ReplaceNames(SentencePair& pair, Random& random) const {
  bool changed = false;
  // Places change with every replacement, words do not.
  std::vector<std::string> words;
  for (const TextRange& range : TextWords(pair.target))
    if (IsName(std::string(range.In(pair.target))))
      words.emplace_back(range.In(pair.target));
  for (const std::string& word : words) {
    const auto english = OnlyPlaceOf(pair.target, word);
    auto german = OnlyPlaceOf(pair.source, word);
    const bool genitive = !german;
    if (genitive) german = OnlyPlaceOf(pair.source, word + "s");
    if (!english || !german || !Happens(kShare, random)) continue;
    const double kind = random.Uniform();
    Phrase name =
        kind < 0.55 ? Same(names_.FirstName(random))
        : kind < 0.75
            ? Same(names_.Place(random))
            : Same(names_.FirstName(random) + " " + names_.Surname(random));
    if (kind >= 0.9 && !genitive && german->begin == 0) {
      name = kind < 0.95 ? Man(names_, random) : Woman(names_, random);
    }
    if (genitive) name.german = Genitive(name.german);
    pair.source = WithReplaced(pair.source, *german, name.german);
    pair.target = WithReplaced(pair.target, *english, name.english);
    changed = true;
  }
  return changed;
}

bool Substitution::ReplaceWords(SentencePair& pair, Random& random) const {
  bool changed = false;
  for (const Rule& rule : kRules)
    changed = ApplyRule(rule, names_, pair, random) || changed;
  return changed;
}

std::optional<SentencePair> Substitution::Apply(const SentencePair& pair,
                                                Random& random) const {
  SentencePair changed = pair;
  const bool names = ReplaceNames(changed, random);
  const bool words = ReplaceWords(changed, random);
  const bool digits = ReplaceDigits(changed, random);
  if (!names && !words && !digits) return std::nullopt;
  return changed;
}

}  // namespace keylens::german_english
