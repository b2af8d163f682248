#include "systems/translator/looking/choose_heads.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/json_mistake.h"
#include "systems/translator/looking/lexical_agreement.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

// More heads than this never added anything.
constexpr std::size_t kMostHeads = 6;

std::vector<AttentionHeadId> AllHeads(const TranslatorConfig& config) {
  std::vector<AttentionHeadId> all;
  for (int64_t layer = 0; layer < config.decoder_layers; ++layer)
    for (int64_t head = 0; head < config.num_heads; ++head)
      all.push_back({layer, head});
  return all;
}

// Adds the head that agreement gains most from; false where it gains nothing.
bool AddBestHead(const LexicalAgreement& lexical,
                 const std::vector<AttentionHeadId>& all, ChosenHeads& chosen) {
  ChosenHeads best = chosen;
  for (const AttentionHeadId& head : all) {
    AlignmentHeads more = chosen.heads;
    if (std::count(more.heads.begin(), more.heads.end(), head) > 0) continue;
    more.heads.push_back(head);
    const double agreement = lexical.Of(more);
    if (agreement > best.agreement) {
      best.heads = more;
      best.agreement = agreement;
    }
  }
  const bool gained = best.agreement > chosen.agreement;
  chosen = std::move(best);
  return gained;
}

}  // namespace

ChosenHeads ChooseAlignmentHeads(const Pipeline& pipeline,
                                 const std::vector<SentencePair>& pairs,
                                 int64_t sentences) {
  LexicalAgreement lexical(pipeline, pairs);
  const std::size_t stride = std::max<std::size_t>(
      1, pairs.size() / static_cast<std::size_t>(sentences));
  for (std::size_t i = 0; i < pairs.size(); i += stride) {
    if (lexical.Fits(pairs[i])) lexical.Add(pairs[i]);
  }
  const std::vector<AttentionHeadId> all =
      AllHeads(pipeline.model().model.config());
  ChosenHeads best;
  for (const bool reads : {false, true}) {
    ChosenHeads chosen;
    chosen.heads.row_that_reads = reads;
    while (chosen.heads.heads.size() < kMostHeads &&
           AddBestHead(lexical, all, chosen)) {
    }
    if (chosen.agreement > best.agreement) best = chosen;
  }
  if (best.heads.heads.empty())
    throw Error(
        "no head agrees with the lexical aligner: are the pairs "
        "German and English?");
  AlignmentHeads last_layer;
  for (const AttentionHeadId& head : all)
    if (head.layer == all.back().layer) last_layer.heads.push_back(head);
  best.of_last_layer = lexical.Of(last_layer);
  best.sentences = lexical.pairs();
  best.links = lexical.links();
  return best;
}

void WriteAlignmentHeads(const std::filesystem::path& config_file,
                         const ChosenHeads& chosen) {
  nlohmann::ordered_json json;
  try {
    json = nlohmann::ordered_json::parse(ReadFile(config_file));
  } catch (const nlohmann::json::exception& error) {
    throw Error(config_file.string() + ": " + JsonMistake(error));
  }
  if (!json.is_object()) throw Error(config_file.string() + ": no JSON object");
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (const AttentionHeadId& id : chosen.heads.heads)
    heads.push_back({id.layer, id.head});
  json["alignment"] = {{"heads", heads},
                       {"row_that_reads", chosen.heads.row_that_reads},
                       {"agreement", chosen.agreement}};
  WriteFileAtomically(config_file, json.dump(2) + "\n");
}

}  // namespace keylens::translator
