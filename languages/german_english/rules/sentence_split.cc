#include "languages/german_english/rules/sentence_split.h"

#include <algorithm>
#include <iterator>

#include "systems/translator/rules/sentence_splitter.h"

namespace keylens::german_english {
namespace {

// Abbreviations after which a sentence goes on, or seldom ends; without their
// point. Those of one letter are not listed: every single letter counts.
constexpr std::string_view kAbbreviations[] = {
    "Abb", "Abs",  "Art",  "Aufl", "Bd",   "Chr",  "Co",  "Dipl", "Dr",
    "Fr",  "Frl",  "Hr",   "Hrn",  "Hrsg", "Ing",  "Jh",  "Kap",  "Mio",
    "Mrd", "Mr",   "Mrs",  "Nr",   "Pf",   "Prof", "Sr",  "St",   "Std",
    "Str", "Tel",  "Tsd",  "bes",  "bzw",  "ca",   "dgl", "ehem", "einschl",
    "etc", "evtl", "gest", "ggf",  "inkl", "max",  "min", "mind", "od",
    "sog", "spez", "u",    "usw",  "vgl",  "zw",   "zzgl"};

// Words that are no names and no nouns: with a capital, they begin a sentence.
constexpr std::string_view kBeginners[] = {
    "Aber",  "Alle",       "Alles", "Als",   "Am",    "An",     "Auch",
    "Auf",   "Aus",        "Bei",   "Beim",  "Bis",   "Bitte",  "Da",
    "Dabei", "Danach",     "Dann",  "Das",   "Dein",  "Deine",  "Denn",
    "Der",   "Deshalb",    "Die",   "Dies",  "Diese", "Dieser", "Dieses",
    "Doch",  "Dort",       "Du",    "Durch", "Ein",   "Eine",   "Einen",
    "Er",    "Es",         "Euer",  "Für",   "Hat",   "Heute",  "Hier",
    "Ich",   "Ihr",        "Ihre",  "Im",    "In",    "Ist",    "Ja",
    "Jetzt", "Kann",       "Kein",  "Keine", "Man",   "Mein",   "Meine",
    "Mit",   "Morgen",     "Nach",  "Nein",  "Nicht", "Nun",    "Nur",
    "Oder",  "Sein",       "Seine", "Seit",  "Sie",   "So",     "Und",
    "Unser", "Vielleicht", "Vom",   "Von",   "Vor",   "Warum",  "Was",
    "Weil"};
constexpr std::string_view kMoreBeginners[] = {
    "Wann",  "Wenn", "Wer", "Wie", "Wir",  "Wo",    "Woher",
    "Wohin", "Zu",   "Zum", "Zur", "Über", "Dafür", "Gestern"};

template <typename Words>
bool Contains(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class GermanPoints : public translator::PointRules {
 public:
  bool IsAmbiguous(std::string_view word) const override {
    if (Contains(kAbbreviations, word)) return true;
    const auto characters = translator::CharactersOf(word);
    if (characters.size() == 1) return true;  // an initial, "z. B.", "3."
    return characters.size() == 2 &&
           translator::IsAsciiDigit(characters[0].code) &&
           translator::IsAsciiDigit(characters[1].code);
  }
  bool BeginsSentence(std::string_view word) const override {
    return Contains(kBeginners, word) || Contains(kMoreBeginners, word);
  }
};

}  // namespace

std::vector<translator::TextRange> SplitSentences(std::string_view text) {
  return translator::SplitSentences(text, GermanPoints());
}

}  // namespace keylens::german_english
