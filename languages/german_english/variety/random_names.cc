#include "languages/german_english/variety/random_names.h"

#include <string_view>

#include "languages/german_english/variety/phrase.h"
#include "systems/translator/text/characters.h"

namespace keylens::german_english {
namespace {

using translator::CharactersOf;
using translator::IsLower;
using translator::IsUpper;

constexpr std::string_view kFirstNames[] = {
    "Anna",      "Lena",      "Julia",      "Laura",    "Sarah",    "Katharina",
    "Lisa",      "Sabine",    "Petra",      "Monika",   "Claudia",  "Susanne",
    "Andrea",    "Birgit",    "Heike",      "Ute",      "Ingrid",   "Helga",
    "Renate",    "Gisela",    "Ursula",     "Elke",     "Christa",  "Brigitte",
    "Karin",     "Martina",   "Silke",      "Anja",     "Kerstin",  "Nicole",
    "Stefanie",  "Melanie",   "Nadine",     "Sandra",   "Tanja",    "Jana",
    "Franziska", "Johanna",   "Charlotte",  "Mia",      "Emma",     "Hannah",
    "Clara",     "Frieda",    "Ida",        "Greta",    "Mathilda", "Paula",
    "Antonia",   "Marlene",   "Elif",       "Aylin",    "Fatima",   "Olga",
    "Svetlana",  "Michael",   "Thomas",     "Andreas",  "Stefan",   "Peter",
    "Wolfgang",  "Klaus",     "Jürgen",     "Dieter",   "Manfred",  "Uwe",
    "Bernd",     "Günter",    "Helmut",     "Werner",   "Horst",    "Heinz",
    "Karl",      "Hans",      "Rainer",     "Ralf",     "Frank",    "Matthias",
    "Markus",    "Christian", "Sebastian",  "Tobias",   "Florian",  "Daniel",
    "Jan",       "Tim",       "Lukas",      "Leon",     "Finn",     "Paul",
    "Jonas",     "Felix",     "Maximilian", "Moritz",   "Jakob",    "Emil",
    "Anton",     "Oskar",     "Friedrich",  "Johannes", "Ludwig",   "Otto",
    "Max",       "Ben",       "Elias",      "Noah",     "Mehmet",   "Ahmed",
    "Ali",       "Dmitri",    "Igor",       "Björn",    "Sören",    "Jörg"};

constexpr std::string_view kSurnames[] = {
    "Müller",    "Schmidt",    "Schneider", "Fischer",  "Weber",    "Meyer",
    "Wagner",    "Becker",     "Schulz",    "Hoffmann", "Schäfer",  "Bauer",
    "Richter",   "Klein",      "Wolf",      "Schröder", "Neumann",  "Schwarz",
    "Braun",     "Zimmermann", "Krüger",    "Hartmann", "Lange",    "Werner",
    "Krause",    "Lehmann",    "Schmid",    "Köhler",   "Herrmann", "König",
    "Walter",    "Mayer",      "Huber",     "Kaiser",   "Peters",   "Lang",
    "Möller",    "Weiß",       "Jung",      "Hahn",     "Schubert", "Vogel",
    "Friedrich", "Keller",     "Günther",   "Frank",    "Berger",   "Winkler",
    "Roth",      "Beck",       "Lorenz",    "Baumann",  "Franke",   "Albrecht",
    "Schuster",  "Simon",      "Ludwig",    "Böhm",     "Winter",   "Kraus",
    "Martin",    "Schumacher", "Krämer",    "Vogt",     "Stein",    "Jäger",
    "Otto",      "Sommer",     "Groß",      "Seidel",   "Heinrich", "Brandt",
    "Haas",      "Schreiber",  "Graf",      "Schulte",  "Dietrich", "Ziegler",
    "Kuhn",      "Kühn",       "Pohl",      "Engel",    "Horn",     "Busch",
    "Bergmann",  "Thomas",     "Voigt",     "Sauer",    "Arnold",   "Wolff",
    "Pfeiffer",  "Nowak",      "Yilmaz",    "Kaya",     "Ivanov",   "Smith"};

constexpr std::string_view kPlaces[] = {
    "Berlin",      "Hamburg",    "Frankfurt", "Stuttgart",  "Düsseldorf",
    "Leipzig",     "Dortmund",   "Essen",     "Bremen",     "Dresden",
    "Bochum",      "Bielefeld",  "Bonn",      "Münster",    "Mannheim",
    "Karlsruhe",   "Augsburg",   "Wiesbaden", "Kiel",       "Aachen",
    "Chemnitz",    "Halle",      "Magdeburg", "Freiburg",   "Lübeck",
    "Erfurt",      "Mainz",      "Rostock",   "Kassel",     "Potsdam",
    "Saarbrücken", "Heidelberg", "Darmstadt", "Regensburg", "Würzburg",
    "Ingolstadt",  "Ulm",        "Wolfsburg", "Heilbronn",  "Oldenburg",
    "Osnabrück",   "Trier",      "Jena",      "Konstanz",   "Passau",
    "Bamberg",     "Bayreuth",   "Flensburg", "Weimar",     "Tübingen",
    "Salzburg",    "Linz",       "Graz",      "Innsbruck",  "Bern",
    "Basel",       "Luzern",     "London",    "Paris",      "Madrid",
    "Barcelona",   "Amsterdam",  "Oslo",      "Stockholm",  "Helsinki",
    "Budapest",    "Dublin",     "Istanbul",  "New York",   "Chicago",
    "Boston",      "Toronto",    "Sydney",    "Bad Homburg"};

// Places with a name in each language, and no article in either.
const Phrase kPlacesInBoth[] = {{"Deutschland", "Germany"},
                                {"Österreich", "Austria"},
                                {"Italien", "Italy"},
                                {"Frankreich", "France"},
                                {"Spanien", "Spain"},
                                {"Polen", "Poland"},
                                {"Griechenland", "Greece"},
                                {"Russland", "Russia"},
                                {"Schweden", "Sweden"},
                                {"Norwegen", "Norway"},
                                {"Dänemark", "Denmark"},
                                {"Finnland", "Finland"},
                                {"Belgien", "Belgium"},
                                {"Ungarn", "Hungary"},
                                {"Tschechien", "Czechia"},
                                {"Kroatien", "Croatia"},
                                {"Rumänien", "Romania"},
                                {"Irland", "Ireland"},
                                {"Schottland", "Scotland"},
                                {"Großbritannien", "Great Britain"},
                                {"Europa", "Europe"},
                                {"Asien", "Asia"},
                                {"Afrika", "Africa"},
                                {"Amerika", "America"},
                                {"Australien", "Australia"},
                                {"Neuseeland", "New Zealand"},
                                {"Kanada", "Canada"},
                                {"Mexiko", "Mexico"},
                                {"Brasilien", "Brazil"},
                                {"Argentinien", "Argentina"},
                                {"Indien", "India"},
                                {"Ägypten", "Egypt"},
                                {"Marokko", "Morocco"},
                                {"Südafrika", "South Africa"},
                                {"Kalifornien", "California"},
                                {"Bayern", "Bavaria"},
                                {"Sachsen", "Saxony"},
                                {"München", "Munich"},
                                {"Köln", "Cologne"},
                                {"Nürnberg", "Nuremberg"},
                                {"Hannover", "Hanover"},
                                {"Braunschweig", "Brunswick"},
                                {"Wien", "Vienna"},
                                {"Zürich", "Zurich"},
                                {"Genf", "Geneva"},
                                {"Rom", "Rome"},
                                {"Mailand", "Milan"},
                                {"Venedig", "Venice"},
                                {"Florenz", "Florence"},
                                {"Neapel", "Naples"},
                                {"Prag", "Prague"},
                                {"Warschau", "Warsaw"},
                                {"Moskau", "Moscow"},
                                {"Brüssel", "Brussels"},
                                {"Lissabon", "Lisbon"},
                                {"Athen", "Athens"},
                                {"Kopenhagen", "Copenhagen"},
                                {"Peking", "Beijing"},
                                {"Tokio", "Tokyo"},
                                {"Kairo", "Cairo"}};

// A name is syllables of an onset, a nucleus and a coda, then an ending.
constexpr std::string_view kOnsets[] = {
    "b",  "d",  "f",   "g",  "h",  "j",  "k",  "l",  "m",  "n",
    "p",  "r",  "s",   "t",  "w",  "z",  "v",  "br", "dr", "gr",
    "kr", "tr", "sch", "st", "fr", "kl", "bl", "gl", "th", "schw",
    "kn", "ch", "qu",  "pf", "sp", "y",  "c",  ""};
constexpr std::string_view kNuclei[] = {"a",  "e", "i", "o",  "u",
                                        "a",  "e", "i", "ei", "au",
                                        "ie", "ö", "ü", "ä",  "ee"};
constexpr std::string_view kCodas[] = {"",  "",  "",   "",   "n",  "r",  "l",
                                       "s", "m", "nd", "rt", "ck", "tz", "ng",
                                       "k", "t", "ld", "rg", "ss", "ll", "nn"};
constexpr std::string_view kFirstNameEndings[] = {
    "a", "e", "o", "us", "ian", "in", "ina", "ke", "ert", "", "", "y", "en"};
constexpr std::string_view kSurnameEndings[] = {
    "er",    "mann", "el",   "ner",  "ke",    "sen", "meier",
    "mayr",  "s",    "berg", "bach", "hofer", "ig",  "brock",
    "horst", "dorn", "ski",  "",     ""};
constexpr std::string_view kPlaceEndings[] = {
    "burg", "dorf",    "heim", "hausen", "berg",   "stadt", "ingen", "bach",
    "feld", "kirchen", "au",   "ow",     "stedt",  "furt",  "hafen", "wald",
    "rode", "en",      "",     "brück",  "lingen", "tal",   "loh",   "hoe"};

// The first letter of `name` is "a" to "z", "ö", "ü" or "ä".
std::string Capitalised(std::string name) {
  const bool is_umlaut = name.front() == '\xC3';
  char& letter = name[is_umlaut ? 1 : 0];
  letter = static_cast<char>(letter - 0x20);
  return name;
}

std::string Composed(std::span<const std::string_view> endings,
                     Random& random) {
  const int syllables = Happens(0.4, random) ? 2 : 1;
  std::string name;
  for (int i = 0; i < syllables; ++i) {
    name += OneOf(kOnsets, random);
    name += OneOf(kNuclei, random);
    name += OneOf(kCodas, random);
  }
  name += OneOf(endings, random);
  // Shorter ones are words rather than names.
  return Capitalised(name.size() < 3 ? name + "na" : std::move(name));
}

bool IsOneCapitalisedWord(std::string_view text) {
  const auto characters = CharactersOf(text);
  if (characters.size() < 3 || characters.size() > 12) return false;
  if (!IsUpper(characters[0].code)) return false;
  for (std::size_t i = 1; i < characters.size(); ++i)
    if (!IsLower(characters[i].code)) return false;
  return true;
}

}  // namespace

RandomNames::RandomNames(std::span<const SentencePair> text) {
  for (const SentencePair& pair : text) {
    if (!IsOneCapitalisedWord(pair.source)) continue;
    if (pair.source == pair.target) {
      places_.push_back(pair.source);
    } else if (IsLower(CharactersOf(pair.target).front().code) &&
               pair.weight >= 1) {
      nouns_.push_back(pair.source);
    }
  }
}

std::string RandomNames::FirstName(Random& random) const {
  if (Happens(0.4, random)) return std::string(OneOf(kFirstNames, random));
  return Composed(kFirstNameEndings, random);
}

std::string RandomNames::Surname(Random& random) const {
  const double kind = random.Uniform();
  if (kind < 0.35) return std::string(OneOf(kSurnames, random));
  if (kind < 0.55 && !nouns_.empty())
    return OneOf(std::span<const std::string>(nouns_), random);
  std::string name = Composed(kSurnameEndings, random);
  if (Happens(0.03, random)) {
    name += '-';
    name += OneOf(kSurnames, random);
  }
  return name;
}

std::string RandomNames::Place(Random& random) const {
  const double kind = random.Uniform();
  if (kind < 0.35) return std::string(OneOf(kPlaces, random));
  if (kind < 0.55 && !places_.empty())
    return OneOf(std::span<const std::string>(places_), random);
  return Composed(kPlaceEndings, random);
}

Phrase RandomNames::PlaceInBoth(Random& random) const {
  if (Happens(0.3, random)) return OneOf(kPlacesInBoth, random);
  const std::string place = Place(random);
  return {place, place};
}

}  // namespace keylens::german_english
