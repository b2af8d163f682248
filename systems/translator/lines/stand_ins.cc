#include "systems/translator/lines/stand_ins.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "systems/translator/text/text_words.h"

namespace keylens::translator {
namespace {

// The stand-ins of the kind, from `attempt` on; the first ones come last.
std::vector<std::string_view> Candidates(const LanguageRules& rules,
                                         ProtectedKind kind, int attempt) {
  const std::span<const std::string_view> pool = rules.StandIns(kind);
  std::vector<std::string_view> candidates(pool.begin(), pool.end());
  if (!candidates.empty())
    std::rotate(candidates.begin(),
                candidates.begin() + attempt % std::ssize(candidates),
                candidates.end());
  return candidates;
}

// Stand-ins for `words`, none of them twice or in the text; empty where they
// run out.
std::vector<StandIn> Chosen(std::string_view text,
                            const std::vector<Protected>& words,
                            const LanguageRules& rules, int attempt) {
  std::vector<StandIn> chosen;
  const auto is_free = [&](std::string_view stand_in) {
    return PlacesOf(text, stand_in).empty() &&
           std::none_of(chosen.begin(), chosen.end(), [&](const StandIn& used) {
             return used.stand_in == stand_in;
           });
  };
  for (const Protected& word : words) {
    const auto pool = Candidates(rules, word.kind, attempt);
    const auto stand_in = std::find_if(pool.begin(), pool.end(), is_free);
    if (stand_in == pool.end()) return {};
    chosen.push_back({std::string(*stand_in), word});
  }
  return chosen;
}

}  // namespace

std::optional<Disguised> Disguise(std::string_view text,
                                  const std::vector<TextEdit>& edits,
                                  const std::vector<Protected>& words,
                                  const LanguageRules& rules, int attempt) {
  Disguised disguised;
  disguised.stand_ins = Chosen(text, words, rules, attempt);
  if (disguised.stand_ins.size() != words.size()) return std::nullopt;
  std::vector<TextEdit> all;
  for (const StandIn& stand_in : disguised.stand_ins)
    all.push_back({stand_in.original.range, stand_in.stand_in});
  all.insert(all.end(), edits.begin(), edits.end());
  disguised.text = EditedText(text, SortedEdits(std::move(all)));
  if (!Undisguise(disguised.text.text(), disguised.stand_ins))
    return std::nullopt;
  return disguised;
}

std::optional<std::vector<TextEdit>> Undisguise(
    std::string_view translation, const std::vector<StandIn>& stand_ins) {
  std::vector<TextEdit> edits;
  for (const StandIn& stand_in : stand_ins) {
    const std::vector<TextRange> found =
        PlacesOf(translation, stand_in.stand_in);
    if (found.size() != 1) return std::nullopt;
    edits.push_back({found[0], stand_in.original.target});
  }
  return SortedEdits(std::move(edits));
}

}  // namespace keylens::translator
