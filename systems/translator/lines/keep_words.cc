#include "systems/translator/lines/keep_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "systems/translator/looking/alignment.h"
#include "systems/translator/search/beam_search.h"
#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

// Of the pieces of a word, in the geometric mean: a word with less is misspelt,
// one with more is right, and one between is right if the model writes it when
// it is asked for the word alone too.
constexpr double kMisspelt = 0.5;
constexpr double kRight = 0.9;

constexpr int kRounds = 2;

// A word of a translation.
struct WrittenWord {
  std::string text;
  double probability = 1;
};

std::vector<WrittenWord> WrittenWords(const TranslationModel& parts,
                                      const Hypothesis& hypothesis) {
  const std::string text = parts.tokenizer.Decode(hypothesis.ids);
  const auto words = SplitAtWhiteSpace(text);
  const std::vector<int64_t> places =
      TargetWords(parts.tokenizer, hypothesis.ids);
  std::vector<double> sums(words.size()), counts(words.size());
  for (std::size_t piece = 0; piece < places.size(); ++piece) {
    const auto word = static_cast<std::size_t>(places[piece]);
    if (word >= words.size()) continue;
    sums[word] += static_cast<double>(hypothesis.log_probs[piece]);
    counts[word] += 1;
  }
  std::vector<WrittenWord> written;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double probability =
        counts[i] == 0 ? 1 : std::exp(sums[i] / counts[i]);
    for (const TextRange& range : TextWords(words[i]))
      written.push_back({std::string(range.In(words[i])), probability});
  }
  return written;
}

// Names the vocabulary has as one piece are known.
LostWords Lost(const TranslationModel& parts, const LanguageRules& rules,
               const PlacedPart& placed) {
  LostWords lost = rules.Lost(placed.part->part.range.In(placed.line),
                              placed.part->alternatives[0].text.text());
  std::erase_if(lost.names, [&](const NameCandidate& name) {
    return parts.tokenizer.Encode(name.word.target).size() == 1;
  });
  return lost;
}

// What the model makes of words when it is asked for them alone.
using Alone = std::map<std::string, std::string>;

void TranslateAlone(const TranslationModel& parts, int threads, Alone& words) {
  std::vector<std::vector<int32_t>> sources;
  for (const auto& [word, alone] : words)
    sources.push_back(parts.SourceIds(word));
  const auto found = BeamSearch(parts.model, parts.special_tokens(), sources,
                                SearchOptions(), threads);
  auto next = found.begin();
  for (auto& [word, alone] : words)
    alone = parts.tokenizer.Decode((next++)->front().ids);
}

// The length of the longest common subsequence.
std::size_t CommonLetters(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (const char letter : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = letter == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

// Whether a candidate is a name, or what decides it.
enum class Verdict { kName, kNoName, kUnlessTranslated, kUnlessWritten };

// A word that is like the candidate says most: it is the candidate's
// translation, or a misspelling.
struct Judgement {
  Verdict verdict = Verdict::kNoName;
  std::string like;
};

Judgement Judge(const NameCandidate& name,
                const std::vector<WrittenWord>& translation) {
  if (name.certain) return {Verdict::kName, ""};
  const auto like = std::find_if(
      translation.begin(), translation.end(), [&](const WrittenWord& word) {
        return ResemblesName(word.text, name.word.target);
      });
  if (like == translation.end()) return {Verdict::kUnlessTranslated, ""};
  if (like->probability < kMisspelt) return {Verdict::kName, like->text};
  if (like->probability >= kRight) return {Verdict::kNoName, like->text};
  return {Verdict::kUnlessWritten, like->text};
}

bool AsksModel(const Judgement& judgement) {
  return judgement.verdict == Verdict::kUnlessTranslated ||
         judgement.verdict == Verdict::kUnlessWritten;
}

bool IsName(const Judgement& judgement, const std::string& name,
            const Alone& alone) {
  if (judgement.verdict == Verdict::kUnlessTranslated)
    return alone.at(name) == name;
  if (judgement.verdict == Verdict::kUnlessWritten)
    return alone.at(name) != judgement.like;
  return judgement.verdict == Verdict::kName;
}

// A part with the stand-ins it has, and others for `words`; none where there is
// nothing to do, or no stand-in is left.
std::optional<TranslatedPart> WithStandIns(
    const LanguageRules& rules, const PlacedPart& placed,
    const std::vector<Protected>& words) {
  if (words.empty()) return std::nullopt;
  LinePart retry = placed.part->part;
  retry.words = MergedWords(retry.words, words);
  if (!DisguisePart(placed.line, rules, retry)) return std::nullopt;
  return TranslatedPart::From(std::move(retry));
}

// What a part lost, and what is to be thought of it.
struct Finding {
  LostWords lost;
  std::vector<Judgement> names;
};

Finding Examine(const TranslationModel& parts, const LanguageRules& rules,
                const PlacedPart& placed) {
  Finding finding = {Lost(parts, rules, placed), {}};
  if (finding.lost.names.empty()) return finding;
  const std::vector<WrittenWord> written =
      WrittenWords(parts, placed.part->alternatives[0].hypothesis);
  for (const NameCandidate& name : finding.lost.names)
    finding.names.push_back(Judge(name, written));
  return finding;
}

std::vector<Protected> WordsToReplace(const Finding& finding,
                                      const Alone& alone) {
  std::vector<Protected> names;
  for (std::size_t i = 0; i < finding.names.size(); ++i) {
    const Protected& word = finding.lost.names[i].word;
    if (IsName(finding.names[i], word.target, alone)) names.push_back(word);
  }
  return MergedWords(finding.lost.numbers, names);
}

// Leaves a part to be planned around its words and all of its numbers.
void GiveUp(const LanguageRules& rules, std::string_view text,
            TranslatedPart& part) {
  LinePart given_up = std::move(part.part);
  given_up.words = MergedWords(given_up.words, rules.NumberPhrases(text));
  part = TranslatedPart::From(std::move(given_up));
  part.state = PartState::kGivenUp;
}

// What the model makes of those candidates alone that it has to say it of.
void AskModel(const TranslationModel& parts,
              const std::vector<Finding>& findings, int threads, Alone& alone) {
  Alone asked;
  for (const Finding& finding : findings) {
    for (std::size_t i = 0; i < finding.names.size(); ++i) {
      const std::string& name = finding.lost.names[i].word.target;
      if (AsksModel(finding.names[i]) && !alone.contains(name))
        asked[name] = "";
    }
  }
  TranslateAlone(parts, threads, asked);
  alone.merge(asked);
}

// Translates parts again that lost something; those that it helped.
std::vector<PlacedPart> Mend(const TranslationModel& parts,
                             const LanguageRules& rules,
                             const std::vector<PlacedPart>& translated,
                             const TranslateSettings& settings, Alone& alone) {
  std::vector<Finding> findings;
  for (const PlacedPart& placed : translated)
    findings.push_back(Examine(parts, rules, placed));
  AskModel(parts, findings, settings.threads, alone);
  std::vector<std::optional<TranslatedPart>> retries;
  for (std::size_t i = 0; i < translated.size(); ++i)
    retries.push_back(
        WithStandIns(rules, translated[i], WordsToReplace(findings[i], alone)));
  std::vector<TranslatedPart*> wanted;
  for (auto& retry : retries)
    if (retry) wanted.push_back(&*retry);
  parts.TranslateParts(wanted, settings);
  std::vector<PlacedPart> mended;
  for (std::size_t i = 0; i < translated.size(); ++i) {
    if (!retries[i] || retries[i]->state != PartState::kDone) continue;
    *translated[i].part = *std::move(retries[i]);
    mended.push_back(translated[i]);
  }
  return mended;
}

}  // namespace

bool ResemblesName(std::string_view translation, std::string_view name) {
  if (translation.empty() || name.empty() ||
      !IsUpper(CharactersOf(translation).front().code))
    return false;
  return 2 * CommonLetters(translation, name) >
         std::max(translation.size(), name.size());
}

void KeepWords(const TranslationModel& parts, const LanguageRules& rules,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings) {
  std::vector<TranslatedPart> before;
  for (const PlacedPart& placed : translated) before.push_back(*placed.part);
  Alone alone;
  // A stand-in for one word may cost another. What did not help will not help
  // again.
  std::vector<PlacedPart> left = translated;
  for (int round = 0; round < kRounds && !left.empty(); ++round)
    left = Mend(parts, rules, left, settings, alone);
  for (std::size_t i = 0; i < translated.size(); ++i) {
    TranslatedPart& part = *translated[i].part;
    const std::string_view text = part.part.range.In(translated[i].line);
    const auto loses_number = [&] {
      return !rules.Lost(text, part.alternatives[0].text.text())
                  .numbers.empty();
    };
    if (!loses_number()) continue;
    part = std::move(before[i]);
    if (loses_number()) GiveUp(rules, text, part);
  }
}

}  // namespace keylens::translator
