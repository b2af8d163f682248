#include "systems/translator/lines/keep_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "systems/translator/lines/lost_words.h"
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

// What a part lost.
struct Lost {
  std::vector<NameCandidate> names;
  std::vector<Protected> numbers;
};

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
Lost LostWords(const TranslationModel& parts, const PlacedPart& placed) {
  const std::string_view text = placed.part->part.range.In(placed.line);
  const std::string& translation = placed.part->alternatives[0].text;
  Lost lost = {LostNames(text, translation),
               LostNumberWords(text, translation)};
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

// Whether a word that a translation lost is a name: it has a title; or it is
// misspelt; or the translation has nothing like it, and the model copies it by
// itself. ("Canada" is like "Kanada", and no misspelling.)
bool IsName(const NameCandidate& name, const std::string& alone,
            const std::vector<WrittenWord>& translation) {
  if (name.titled) return true;
  const auto like = std::find_if(
      translation.begin(), translation.end(), [&](const WrittenWord& word) {
        return ResemblesName(word.text, name.word.target);
      });
  if (like == translation.end()) return alone == name.word.target;
  return like->probability < kMisspelt ||
         (like->probability < kRight && alone != like->text);
}

// The stand-ins of a part, and others for `words`; copied where there is
// nothing to do, or no stand-in is left.
TranslatedPart WithStandIns(const PlacedPart& placed,
                            const std::vector<Protected>& words) {
  TranslatedPart retry;
  retry.part.copied = true;
  if (words.empty()) return retry;
  std::vector<Protected> carried;
  for (const StandIn& stand_in : placed.part->part.stand_ins)
    carried.push_back(stand_in.original);
  auto disguised = Disguise(placed.part->part.range.In(placed.line),
                            MergedWords(carried, words));
  if (!disguised) return retry;
  retry.part = placed.part->part;
  retry.part.text = std::move(disguised->text);
  retry.part.stand_ins = std::move(disguised->stand_ins);
  return retry;
}

std::vector<Protected> WordsToReplace(
    const Lost& lost, const Alone& alone,
    const std::vector<WrittenWord>& translation) {
  std::vector<Protected> names;
  for (const NameCandidate& name : lost.names) {
    if (IsName(name, alone.at(name.word.target), translation))
      names.push_back(name.word);
  }
  return MergedWords(lost.numbers, names);
}

// Leaves a part to be planned around its stand-ins and all of its numbers,
// dates as a whole.
void GiveUp(std::string_view text, TranslatedPart& part) {
  std::vector<Protected> carried;
  for (const StandIn& stand_in : part.part.stand_ins)
    carried.push_back(stand_in.original);
  const std::vector<Protected> numbers =
      MergedWords(DateWords(text), NumberWords(text));
  part.part.stand_ins.clear();
  for (const Protected& word : MergedWords(carried, numbers))
    part.part.stand_ins.push_back({"", word});
  part.alternatives.clear();
}

// Translates parts again that lost something, where that helps; whether any
// was.
bool Mend(const TranslationModel& parts,
          const std::vector<PlacedPart>& translated,
          const TranslateSettings& settings, Alone& alone) {
  std::vector<Lost> lost;
  Alone asked;
  for (const PlacedPart& placed : translated) {
    lost.push_back(LostWords(parts, placed));
    for (const NameCandidate& name : lost.back().names)
      if (!alone.contains(name.word.target)) asked[name.word.target] = "";
  }
  TranslateAlone(parts, settings.threads, asked);
  alone.merge(asked);
  std::vector<TranslatedPart> retries;
  std::vector<TranslatedPart*> wanted;
  for (std::size_t i = 0; i < translated.size(); ++i) {
    const Hypothesis& written = translated[i].part->alternatives[0].hypothesis;
    const std::vector<Protected> words =
        WordsToReplace(lost[i], alone, WrittenWords(parts, written));
    retries.push_back(WithStandIns(translated[i], words));
  }
  for (TranslatedPart& retry : retries)
    if (!retry.part.copied) wanted.push_back(&retry);
  parts.TranslateParts(wanted, settings, /*required=*/false);
  for (std::size_t i = 0; i < translated.size(); ++i) {
    if (!retries[i].alternatives.empty())
      *translated[i].part = std::move(retries[i]);
  }
  return !wanted.empty();
}

}  // namespace

void KeepWords(const TranslationModel& parts,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings) {
  std::vector<TranslatedPart> before;
  for (const PlacedPart& placed : translated) before.push_back(*placed.part);
  Alone alone;
  // A stand-in for one word may cost another.
  for (int round = 0; round < kRounds; ++round)
    if (!Mend(parts, translated, settings, alone)) break;
  for (std::size_t i = 0; i < translated.size(); ++i) {
    TranslatedPart& part = *translated[i].part;
    const std::string_view text = part.part.range.In(translated[i].line);
    if (LostNumberWords(text, part.alternatives[0].text).empty()) continue;
    part = std::move(before[i]);
    if (!LostNumberWords(text, part.alternatives[0].text).empty())
      GiveUp(text, part);
  }
}

}  // namespace keylens::translator
