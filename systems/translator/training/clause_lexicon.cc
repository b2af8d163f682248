#include "systems/translator/training/clause_lexicon.h"

#include <string>

#include "systems/translator/text/text_words.h"
#include "systems/translator/training/random_phrases.h"

namespace keylens::translator {
namespace {

using enum Valency;

// clang-format off
constexpr Verb kVerbs[] = {
    {kThing, false, "", {"kaufe", "kaufst", "kauft", "kaufen"}, "gekauft", "buy", "buys", "bought", "buying"},
    {kThing, false, "", {"verkaufe", "verkaufst", "verkauft", "verkaufen"}, "verkauft", "sell", "sells", "sold", "selling"},
    {kThing, false, "", {"suche", "suchst", "sucht", "suchen"}, "gesucht", "look for", "looks for", "looked for", "looking for"},
    {kThing, false, "", {"finde", "findest", "findet", "finden"}, "gefunden", "find", "finds", "found", "finding"},
    {kThing, false, "", {"brauche", "brauchst", "braucht", "brauchen"}, "gebraucht", "need", "needs", "needed", "needing"},
    {kThing, false, "", {"sehe", "siehst", "sieht", "sehen"}, "gesehen", "see", "sees", "saw", "seeing"},
    {kThing, false, "", {"vergesse", "vergisst", "vergisst", "vergessen"}, "vergessen", "forget", "forgets", "forgot", "forgetting"},
    {kThing, false, "", {"verliere", "verlierst", "verliert", "verlieren"}, "verloren", "lose", "loses", "lost", "losing"},
    {kThing, false, "", {"bestelle", "bestellst", "bestellt", "bestellen"}, "bestellt", "order", "orders", "ordered", "ordering"},
    {kThing, false, "", {"repariere", "reparierst", "repariert", "reparieren"}, "repariert", "repair", "repairs", "repaired", "repairing"},
    {kThing, false, "", {"zeige", "zeigst", "zeigt", "zeigen"}, "gezeigt", "show", "shows", "showed", "showing"},
    {kThing, false, "", {"bekomme", "bekommst", "bekommt", "bekommen"}, "bekommen", "get", "gets", "got", "getting"},
    {kThing, false, "mit", {"nehme", "nimmst", "nimmt", "nehmen"}, "mitgenommen", "take along", "takes along", "took along", "taking along"},
    {kThing, false, "mit", {"bringe", "bringst", "bringt", "bringen"}, "mitgebracht", "bring", "brings", "brought", "bringing"},
    {kPerson, false, "", {"treffe", "triffst", "trifft", "treffen"}, "getroffen", "meet", "meets", "met", "meeting"},
    {kPerson, false, "", {"besuche", "besuchst", "besucht", "besuchen"}, "besucht", "visit", "visits", "visited", "visiting"},
    {kPerson, false, "", {"frage", "fragst", "fragt", "fragen"}, "gefragt", "ask", "asks", "asked", "asking"},
    {kPerson, false, "", {"verstehe", "verstehst", "versteht", "verstehen"}, "verstanden", "understand", "understands", "understood", "understanding"},
    {kPerson, false, "", {"heirate", "heiratest", "heiratet", "heiraten"}, "geheiratet", "marry", "marries", "married", "marrying"},
    {kPerson, false, "", {"sehe", "siehst", "sieht", "sehen"}, "gesehen", "see", "sees", "saw", "seeing"},
    {kPerson, false, "an", {"rufe", "rufst", "ruft", "rufen"}, "angerufen", "call", "calls", "called", "calling"},
    {kPerson, false, "ab", {"hole", "holst", "holt", "holen"}, "abgeholt", "pick up", "picks up", "picked up", "picking up"},
    {kPerson, false, "ein", {"lade", "lädst", "lädt", "laden"}, "eingeladen", "invite", "invites", "invited", "inviting"},
    {kNothing, false, "", {"arbeite", "arbeitest", "arbeitet", "arbeiten"}, "gearbeitet", "work", "works", "worked", "working"},
    {kNothing, false, "", {"warte", "wartest", "wartet", "warten"}, "gewartet", "wait", "waits", "waited", "waiting"},
    {kNothing, false, "", {"schlafe", "schläfst", "schläft", "schlafen"}, "geschlafen", "sleep", "sleeps", "slept", "sleeping"},
    {kNothing, false, "", {"tanze", "tanzt", "tanzt", "tanzen"}, "getanzt", "dance", "dances", "danced", "dancing"},
    {kNothing, false, "", {"koche", "kochst", "kocht", "kochen"}, "gekocht", "cook", "cooks", "cooked", "cooking"},
    {kNothing, false, "", {"singe", "singst", "singt", "singen"}, "gesungen", "sing", "sings", "sang", "singing"},
    {kNothing, false, "", {"spiele", "spielst", "spielt", "spielen"}, "gespielt", "play", "plays", "played", "playing"},
    {kNothing, true, "an", {"komme", "kommst", "kommt", "kommen"}, "angekommen", "arrive", "arrives", "arrived", "arriving"},
    {kNothing, true, "", {"schwimme", "schwimmst", "schwimmt", "schwimmen"}, "geschwommen", "swim", "swims", "swam", "swimming"},
    {kTowards, true, "", {"fahre", "fährst", "fährt", "fahren"}, "gefahren", "go", "goes", "went", "going"},
    {kTowards, true, "", {"fliege", "fliegst", "fliegt", "fliegen"}, "geflogen", "fly", "flies", "flew", "flying"},
    {kTowards, true, "", {"reise", "reist", "reist", "reisen"}, "gereist", "travel", "travels", "traveled", "traveling"},
    {kTowards, true, "", {"ziehe", "ziehst", "zieht", "ziehen"}, "gezogen", "move", "moves", "moved", "moving"},
    {kTowards, true, "", {"komme", "kommst", "kommt", "kommen"}, "gekommen", "come", "comes", "came", "coming"},
    {kTowards, true, "zurück", {"fahre", "fährst", "fährt", "fahren"}, "zurückgefahren", "go back", "goes back", "went back", "going back"},
    {kWithin, false, "", {"wohne", "wohnst", "wohnt", "wohnen"}, "gewohnt", "live", "lives", "lived", "living"},
    {kWithin, false, "", {"lebe", "lebst", "lebt", "leben"}, "gelebt", "live", "lives", "lived", "living"},
    {kWithin, false, "", {"studiere", "studierst", "studiert", "studieren"}, "studiert", "study", "studies", "studied", "studying"},
    {kWithin, true, "", {"bleibe", "bleibst", "bleibt", "bleiben"}, "geblieben", "stay", "stays", "stayed", "staying"},
};

constexpr Modal kModals[] = {
    {{"will", "willst", "will", "wollen"}, "want to", "wants to"},
    {{"möchte", "möchtest", "möchte", "möchten"}, "would like to", "would like to"},
    {{"muss", "musst", "muss", "müssen"}, "have to", "has to"},
    {{"kann", "kannst", "kann", "können"}, "can", "can"},
    {{"soll", "sollst", "soll", "sollen"}, "should", "should"},
    {{"werde", "wirst", "wird", "werden"}, "will", "will"},
};
// clang-format on

const Phrase kThings[] = {{"ein Haus", "a house"},
                          {"einen Hund", "a dog"},
                          {"ein neues Auto", "a new car"},
                          {"das Buch", "the book"},
                          {"eine Karte", "a ticket"},
                          {"den Schlüssel", "the key"},
                          {"einen Brief", "a letter"},
                          {"ein Geschenk", "a present"},
                          {"Brot und Butter", "bread and butter"},
                          {"ein Glas Wasser", "a glass of water"},
                          {"eine Tasse Tee", "a cup of tea"},
                          {"die Zeitung", "the newspaper"},
                          {"ein Fahrrad", "a bicycle"},
                          {"eine Wohnung", "an apartment"},
                          {"einen alten Tisch", "an old table"},
                          {"das Bild", "the picture"},
                          {"einen roten Mantel", "a red coat"},
                          {"viele Fotos", "many photos"},
                          {"eine kleine Katze", "a small cat"},
                          {"meinen Koffer", "my suitcase"},
                          {"ein schönes Kleid", "a beautiful dress"},
                          {"zwei Flaschen Wein", "two bottles of wine"},
                          {"einen Fehler im Text", "a mistake in the text"},
                          {"die Adresse", "the address"}};

// Things that are counted.
const Phrase kCounted[] = {{"Euro", "euros"},
                           {"Eier", "eggs"},
                           {"Bücher", "books"},
                           {"Stühle", "chairs"},
                           {"Gramm Zucker", "grams of sugar"},
                           {"Fotos", "photos"},
                           {"Leute", "people"},
                           {"Äpfel", "apples"},
                           {"Kilo Kartoffeln", "kilos of potatoes"},
                           {"Karten", "tickets"},
                           {"Briefe", "letters"},
                           {"Liter Milch", "liters of milk"}};

const Subject kSubjects[] = {
    {{"ich", "I"}, Person::kI},
    {{"ich", "I"}, Person::kI},
    {{"wir", "we"}, Person::kPlural},
    {{"du", "you"}, Person::kYou},
    {{"er", "he"}, Person::kHe},
    {{"sie", "she"}, Person::kHe},
    {{"mein Bruder", "my brother"}, Person::kHe},
    {{"meine Schwester", "my sister"}, Person::kHe},
    {{"mein Vater", "my father"}, Person::kHe},
    {{"seine Mutter", "his mother"}, Person::kHe},
    {{"unser Nachbar", "our neighbor"}, Person::kHe},
    {{"ihre Tochter", "her daughter"}, Person::kHe},
    {{"mein Großvater", "my grandfather"}, Person::kHe},
    {{"der Lehrer", "the teacher"}, Person::kHe},
    {{"die Ärztin", "the doctor"}, Person::kHe},
    {{"ein Freund von mir", "a friend of mine"}, Person::kHe},
    {{"meine Eltern", "my parents"}, Person::kPlural},
    {{"die Kinder", "the children"}, Person::kPlural}};

const Phrase kRelatives[] = {{"mein Bruder ", "my brother "},
                             {"meine Schwester ", "my sister "},
                             {"mein Freund ", "my friend "},
                             {"unsere Tochter ", "our daughter "}};

const Phrase kPersonPronouns[] = {{"mich", "me"},
                                  {"dich", "you"},
                                  {"ihn", "him"},
                                  {"sie", "her"},
                                  {"uns", "us"}};

const Phrase kPersons[] = {
    {"meinen Bruder", "my brother"}, {"meine Schwester", "my sister"},
    {"den Arzt", "the doctor"},      {"seine Frau", "his wife"},
    {"ihre Eltern", "her parents"},  {"meine Freunde", "my friends"}};

const Phrase kCompanions[] = {{"meinem Bruder", "my brother"},
                              {"meiner Frau", "my wife"},
                              {"seinen Freunden", "his friends"},
                              {"den Kindern", "the children"}};

// What is measured, and how.
struct Measure {
  Phrase subjects[3];
  Phrase before, after;  // the number
};

const Measure kMeasures[] = {{{{"das Haus", "the house"},
                               {"das Zimmer", "the room"},
                               {"die Karte", "the ticket"}},
                              {" kostet ", " costs "},
                              {" Euro", " euros"}},
                             {{{"der Film", "the movie"},
                               {"der Flug", "the flight"},
                               {"die Fahrt", "the trip"}},
                              {" dauert ", " takes "},
                              {" Minuten", " minutes"}},
                             {{{"der Koffer", "the suitcase"},
                               {"das Paket", "the package"},
                               {"der Hund", "the dog"}},
                              {" wiegt ", " weighs "},
                              {" Kilo", " kilos"}},
                             {{{"der Turm", "the tower"},
                               {"der Baum", "the tree"},
                               {"das Tor", "the gate"}},
                              {" ist ", " is "},
                              {" Meter hoch", " meters high"}},
                             {{{"das Buch", "the book"},
                               {"das Heft", "the notebook"},
                               {"der Bericht", "the report"}},
                              {" hat ", " has "},
                              {" Seiten", " pages"}},
                             {{{"mein Vater", "my father"},
                               {"ihr Sohn", "her son"},
                               {"die Lehrerin", "the teacher"}},
                              {" ist ", " is "},
                              {" Jahre alt", " years old"}},
                             {{{"das Dorf", "the village"},
                               {"die Insel", "the island"},
                               {"der Ort", "the place"}},
                              {" hat ", " has "},
                              {" Einwohner", " inhabitants"}}};

// "Herr Koch", "Herrn Koch" where `accusative`.
Phrase Titled(const RandomNames& names, bool accusative, Random& random) {
  const std::string surname = names.Surname(random);
  if (Happens(0.5, random)) return {"Frau " + surname, "Mrs. " + surname};
  return {(accusative ? "Herrn " : "Herr ") + surname, "Mr. " + surname};
}

Phrase Named(const RandomNames& names, bool accusative, Random& random) {
  if (Happens(0.35, random)) return Titled(names, accusative, random);
  std::string name = names.FirstName(random);
  if (Happens(0.25, random)) {
    name += ' ';
    name += names.Surname(random);
  }
  return {name, name};
}

}  // namespace

std::span<const Verb> Verbs() { return kVerbs; }
std::span<const Modal> Modals() { return kModals; }

Subject RandomSubject(const RandomNames& names, Random& random) {
  const double kind = random.Uniform();
  if (kind < 0.5) return OneOf(kSubjects, random);
  if (kind < 0.82) return {Named(names, false, random), Person::kHe};
  if (kind < 0.92) {
    Subject subject = {OneOf(kRelatives, random), Person::kHe};
    const std::string name = names.FirstName(random);
    subject.phrase.german += name;
    subject.phrase.english += name;
    return subject;
  }
  const std::string first = names.FirstName(random);
  const std::string second = names.FirstName(random);
  return {{first + " und " + second, first + " and " + second},
          Person::kPlural};
}

Object RandomThing(Random& random) {
  if (Happens(0.7, random)) return {OneOf(kThings, random), false};
  const Phrase number = RandomNumber(random);
  const Phrase& counted = OneOf(kCounted, random);
  return {{number.german + " " + counted.german,
           number.english + " " + counted.english},
          false};
}

Object RandomPerson(const RandomNames& names, Random& random) {
  const double kind = random.Uniform();
  if (kind < 0.25) return {OneOf(kPersonPronouns, random), true};
  if (kind < 0.45) return {OneOf(kPersons, random), false};
  return {Named(names, true, random), false};
}

Phrase RandomCompany(const RandomNames& names, Random& random) {
  const Phrase who = Happens(0.4, random) ? OneOf(kCompanions, random)
                                          : Named(names, true, random);
  return {"mit " + who.german, "with " + who.english};
}

Phrase RandomMeasure(const RandomNames& names, Random& random) {
  const Measure& measure = OneOf(kMeasures, random);
  Phrase subject = OneOf(measure.subjects, random);
  if (measure.after.german == " Jahre alt" && Happens(0.5, random))
    subject = Named(names, false, random);
  const Phrase number =
      Happens(0.3, random) ? RandomDecimal(random) : RandomNumber(random);
  return {WithCapitalInitial(subject.german) + measure.before.german +
              number.german + measure.after.german + ".",
          WithCapitalInitial(subject.english) + measure.before.english +
              number.english + measure.after.english + "."};
}

}  // namespace keylens::translator
