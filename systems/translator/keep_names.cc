#include "systems/translator/keep_names.h"

#include <map>
#include <string>
#include <utility>

#include "systems/translator/beam_search.h"
#include "systems/translator/names.h"

namespace keylens::translator {
namespace {

// Capitalised words of several pieces that the translation does not have.
std::vector<Protected> LostWords(const Pipeline::Parts& parts,
                                 std::string_view text,
                                 std::string_view translation) {
  std::vector<Protected> lost;
  for (Protected& word : CapitalisedWords(text)) {
    if (!HasWord(translation, word.target) &&
        parts.tokenizer.Encode(word.target).size() > 1)
      lost.push_back(std::move(word));
  }
  return lost;
}

// Sets those words to true that the model leaves as they are.
void FindNames(const Pipeline::Parts& parts, int threads,
               std::map<std::string, bool>& words) {
  std::vector<std::vector<int32_t>> sources;
  for (const auto& [word, is_name] : words)
    sources.push_back(parts.SourceIds(word));
  SearchOptions greedy;
  greedy.beam = 1;
  const auto found =
      BeamSearch(parts.model, parts.special_tokens(), sources, greedy, threads);
  auto next = found.begin();
  for (auto& [word, is_name] : words)
    is_name = parts.tokenizer.Decode((next++)->front().ids) == word;
}

// The part with stand-ins for its names too; copied where there is nothing to
// do.
TranslatedPart WithNames(const PlacedPart& placed,
                         const std::vector<Protected>& lost,
                         const std::map<std::string, bool>& words) {
  TranslatedPart retry;
  retry.part.copied = true;
  std::vector<Protected> names, carried;
  for (const Protected& word : lost)
    if (words.at(word.target)) names.push_back(word);
  if (names.empty()) return retry;
  for (const StandIn& stand_in : placed.part->part.stand_ins)
    carried.push_back(stand_in.original);
  auto disguised = Disguise(placed.part->part.range.In(placed.line),
                            MergedWords(carried, names));
  if (!disguised) return retry;
  retry.part = placed.part->part;
  retry.part.text = std::move(disguised->text);
  retry.part.stand_ins = std::move(disguised->stand_ins);
  return retry;
}

}  // namespace

void KeepNames(const Pipeline::Parts& parts,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings) {
  std::vector<std::vector<Protected>> lost;
  std::map<std::string, bool> words;
  for (const PlacedPart& placed : translated) {
    lost.push_back(LostWords(parts, placed.part->part.range.In(placed.line),
                             placed.part->alternatives[0].text));
    for (const Protected& word : lost.back()) words[word.target] = false;
  }
  FindNames(parts, settings.threads, words);
  std::vector<TranslatedPart> retries;
  std::vector<TranslatedPart*> wanted;
  for (std::size_t i = 0; i < translated.size(); ++i)
    retries.push_back(WithNames(translated[i], lost[i], words));
  for (TranslatedPart& retry : retries)
    if (!retry.part.copied) wanted.push_back(&retry);
  parts.TranslateParts(wanted, settings, /*required=*/false);
  for (std::size_t i = 0; i < translated.size(); ++i) {
    if (!retries[i].alternatives.empty())
      *translated[i].part = std::move(retries[i]);
  }
}

}  // namespace keylens::translator
