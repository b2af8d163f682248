#include "languages/german_english/corpus/ding.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "languages/german_english/corpus/ding_choices.h"
#include "languages/german_english/corpus/ding_line.h"
#include "languages/german_english/corpus/pair_check.h"
#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

using Labels = std::unordered_set<std::string_view>;

// Fields whose terms few people use. Ding gives them to everyday words too
// ("Hund" is [zool.]), so that a label alone does not throw a term out.
const Labels& SpecialistLabels() {
  static const Labels labels = {
      "adm.",   "agr.",    "arch.",   "astron.", "aviat.",   "biochem.",
      "biol.",  "chem.",   "comp.",   "constr.", "econ.",    "electr.",
      "envir.", "fin.",    "geogr.",  "geol.",   "jur.",     "ling.",
      "mach.",  "math.",   "med.",    "meteo.",  "mil.",     "min.",
      "myc.",   "naut.",   "ornith.", "pharm.",  "phil.",    "photo.",
      "phys.",  "pol.",    "print",   "sci.",    "statist.", "techn.",
      "telco.", "textil.", "transp."};
  return labels;
}

// What nobody should be taught to say, or is only part of a word. The German of
// some region is fine: it is what is translated.
const Labels& UnwantedLabels() {
  static const Labels labels = {
      // Both languages.
      "obs.", "vulg.", "tm", "slang", "taxon",
      // English.
      "archaic", "dated", "becoming dated", "rare", "poet.", "Sc.", "Ir.",
      "Irl.", "NZ", "Austr.", "Aus.", "Can.", "India", "South Africa",
      "Northern English", "former name", "children's speech", "in compounds",
      "usually in compounds", "only before noun", "only before nouns",
      "before noun", "literary",
      // German.
      "alt", "altertümlich", "altertümelnd", "veraltet", "selten",
      "frühere Bezeichnung", "in Zusammensetzungen",
      "meist in Zusammensetzungen", "Kindersprache", "Jägersprache"};
  return labels;
}

bool HasLabel(const DingTerm& term, const Labels& labels) {
  return std::ranges::any_of(term.labels, [&](const std::string& label) {
    return labels.contains(ToPlainText(label));
  });
}

void DropUnwanted(std::vector<DingTerm>& terms, Counts& counts) {
  counts.Add(
      "synonyms left out as obsolete, regional or vulgar",
      static_cast<int64_t>(std::erase_if(terms, [](const DingTerm& term) {
        return HasLabel(term, UnwantedLabels());
      })));
}

// So many English synonyms of a part are considered.
constexpr size_t kMaxSynonyms = 6;

bool EndsSentence(const std::string& text) {
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?');
}

bool IsSentence(const Pair& pair) {
  return StartsUppercase(pair.german) && StartsUppercase(pair.english) &&
         EndsSentence(pair.german) && EndsSentence(pair.english);
}

// "the police" of "die Polizei" as the noun alone, as other entries have it.
Pair WithoutArticles(Pair pair) {
  for (const std::string_view article : {"der ", "die ", "das "}) {
    const bool noun =
        pair.german.starts_with(article) &&
        pair.german.find(' ', article.size()) == std::string::npos;
    if (!noun || !pair.english.starts_with("the ")) continue;
    return {pair.english.substr(4), pair.german.substr(article.size())};
  }
  return pair;
}

class Reader {
 public:
  Reader(Ding& ding, Counts& counts) : ding_(ding), counts_(counts) {}

  void AddLine(std::string_view line) {
    std::vector<DingEntry> entries = ParseDingLine(line, counts_);
    specialist_ = false;
    for (const DingEntry& entry : entries) {
      for (const DingTerm& term : entry.german) {
        specialist_ = specialist_ || HasLabel(term, SpecialistLabels());
      }
    }
    parts_ = entries.size();
    for (DingEntry& entry : entries) AddEntry(entry);
  }

 private:
  void AddEntry(DingEntry& entry) {
    DropUnwanted(entry.german, counts_);
    DropUnwanted(entry.english, counts_);
    for (size_t g = 0; g < entry.german.size(); ++g) {
      // Later synonyms are candidates too: sentences may prefer them.
      const size_t synonyms = std::min(kMaxSynonyms, entry.english.size());
      for (size_t e = 0; e < synonyms; ++e) AddTerms(entry, g, e);
    }
  }

  void AddTerms(const DingEntry& entry, size_t g, size_t e) {
    const Pair terms{entry.english[e].text, entry.german[g].text};
    const std::vector<Pair> pairs = ExpandChoices(terms);
    if (pairs.empty()) counts_.Add("choices that do not go together");
    for (const Pair& expanded : pairs) {
      const Pair pair = WithoutArticles(expanded);
      if (const char* why = HasOtherNumbers(pair) ? "other numbers"
                            : HasMarkup(pair)     ? "markup"
                                                  : WhyUnfit(pair)) {
        counts_.Add(why);
      } else if (!IsSentence(pair)) {
        ding_.candidates.push_back({pair, Merit(entry, g, e), specialist_});
      } else if (e == 0) {
        ding_.sentences.push_back(pair);
      }
    }
  }

  // Ding lists the usual before the unusual, and has more to say about it.
  double Merit(const DingEntry& entry, size_t g, size_t e) const {
    double merit = 1.0 / (1.0 + static_cast<double>(g)) +
                   1.0 / (1.0 + static_cast<double>(e));
    merit += entry.is_headword ? 0.5 : 0.0;
    // Synonyms narrow what is meant: "Frau; Ehefrau" is a wife.
    merit -= entry.german.size() > 1 ? 0.25 : 0.0;
    merit += 0.25 * std::log2(static_cast<double>(parts_));
    merit -= specialist_ ? 0.5 : 0.0;
    const auto& grammar = entry.german[g].grammar;
    if (std::ranges::count(grammar, "adv")) merit -= 0.25;
    // "Eimer" is a bucket before it is buckets.
    if (!entry.is_headword && std::ranges::count(grammar, "pl")) merit -= 1.0;
    return merit;
  }

  Ding& ding_;
  Counts& counts_;
  bool specialist_ = false;
  size_t parts_ = 0;
};

// Sentences say more than the dictionary's order. A translation with this
// association is a good one, and more does not make it better: what people
// say of a "Frau" is mostly "my wife".
constexpr double kEvidenceWeight = 6.0, kEnoughEvidence = 0.4;
// A word is one of everyday language when so many sentences have it.
constexpr int64_t kEverydayEnglish = 4, kEverydayGerman = 1;
// Longer terms are explanations.
constexpr int kMaxTermWords = 10;

int CountWords(const std::string& text) {
  return 1 + static_cast<int>(std::ranges::count(text, ' '));
}

// Of the candidates for one German term, the best; the first of equals.
const DingCandidate& Best(std::span<const DingCandidate> candidates,
                          const Evidence& evidence) {
  if (candidates.size() == 1) return candidates.front();
  const DingCandidate* best = nullptr;
  double most = 0;
  for (const DingCandidate& candidate : candidates) {
    const double association =
        std::min(evidence.Association(candidate.pair), kEnoughEvidence);
    const double merit = candidate.merit + kEvidenceWeight * association;
    if (best == nullptr || merit > most) {
      best = &candidate;
      most = merit;
    }
  }
  return *best;
}

// Whether people speak of it: sentences have the German words or the English
// ones. Of a compound the English words are frequent, and the thing is rare
// ("central clock"): it takes the German word.
bool IsEveryday(const Pair& pair, const Evidence& evidence) {
  if (evidence.CountGerman(pair.german) >= kEverydayGerman) return true;
  const bool compound = CountWords(pair.german) == 1 &&
                        FoldedWords(pair.english).size() > 1 &&
                        !pair.english.starts_with("to ");
  return !compound && evidence.CountEnglish(pair.english) >= kEverydayEnglish;
}

// A short word for a short word: "Kirsche" has a special field, botany.
bool IsShortWord(const Pair& pair) {
  constexpr int kMaxCharacters = 10;
  return CountWords(pair.german) == 1 && CountWords(pair.english) == 1 &&
         CountCharacters(pair.german) <= kMaxCharacters &&
         CountCharacters(pair.english) <= kMaxCharacters;
}

void AddChosen(const DingCandidate& chosen, const Evidence& evidence,
               ChosenTerms& terms, Counts& counts) {
  const Pair& pair = chosen.pair;
  if (std::max(CountWords(pair.english), CountWords(pair.german)) >
      kMaxTermWords) {
    counts.Add("terms of more than 10 words");
  } else if (IsEveryday(pair, evidence)) {
    (CountWords(pair.german) == 1 ? terms.words : terms.phrases)
        .push_back(pair);
  } else if (chosen.specialist && !IsShortWord(pair) &&
             evidence.CountEnglish(pair.english) < kEverydayEnglish) {
    counts.Add("terms of a special field that no sentence has");
  } else {
    terms.terms.push_back(pair);
  }
}

}  // namespace

Ding ReadDing(std::string_view text, Counts& counts) {
  Ding ding;
  Reader reader(ding, counts);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    reader.AddLine(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  counts.Add("sentences", static_cast<int64_t>(ding.sentences.size()));
  counts.Add("candidates for terms",
             static_cast<int64_t>(ding.candidates.size()));
  return ding;
}

ChosenTerms ChooseTranslations(std::vector<DingCandidate> candidates,
                               const Evidence& evidence, Counts& counts) {
  std::ranges::stable_sort(candidates, {}, [](const DingCandidate& candidate) {
    return std::string_view(candidate.pair.german);
  });
  ChosenTerms terms;
  for (auto first = candidates.begin(); first != candidates.end();) {
    const auto last = std::find_if(first, candidates.end(), [&](const auto& c) {
      return c.pair.german != first->pair.german;
    });
    counts.Add("other translations of the same term", last - first - 1);
    AddChosen(Best({first, last}, evidence), evidence, terms, counts);
    first = last;
  }
  return terms;
}

}  // namespace keylens::german_english
