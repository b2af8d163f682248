#include "systems/translator/choose_heads.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/translator/lexical_alignment.h"
#include "systems/translator/pipeline_parts.h"
#include "systems/translator/token_ids.h"

namespace keylens::translator {
namespace {

// More heads than this never added anything.
constexpr std::size_t kMostHeads = 6;

// A sentence as the aligner and as cross-attention see it.
struct Compared {
  std::set<WordLink> links;
  std::vector<nn::AttentionWeights> cross;
  WordOfPiece source_words, target_words;
};

Compared Compare(const Pipeline::Parts& parts, const LexicalAligner& aligner,
                 const SentencePair& pair) {
  Compared compared;
  for (const WordLink& link :
       aligner.Links(WordsOfPair(pair.source, pair.target)))
    compared.links.insert(link);
  const std::vector<int32_t> source = parts.SourceIds(pair.source);
  const std::vector<int32_t> target =
      IdsOf(parts.tokenizer.Encode(pair.target));
  nn::InferenceBuffers buffers;
  compared.cross = parts.WeightsOf(source, target, buffers).decoder.cross;
  compared.source_words = SourceWords(
      pair.source, parts.tokenizer.Encode(pair.source), source.size());
  compared.target_words = TargetWords(parts.tokenizer, target);
  return compared;
}

bool Fits(const Pipeline::Parts& parts, const SentencePair& pair) {
  const auto limit =
      static_cast<std::size_t>(parts.model.config().max_tokens) - 1;
  const std::size_t target = parts.tokenizer.Encode(pair.target).size();
  return target > 0 && target < limit &&
         parts.tokenizer.Encode(pair.source).size() < limit;
}

double Agreement(const std::vector<Compared>& sentences,
                 const AlignmentHeads& heads) {
  int64_t links = 0, shared = 0;
  for (const Compared& sentence : sentences) {
    const auto rows = static_cast<int64_t>(sentence.target_words.size());
    links += static_cast<int64_t>(sentence.links.size());
    for (const WordLink& link :
         LinkWords(PieceAlignment(sentence.cross, heads, rows),
                   sentence.source_words, sentence.target_words))
      shared += sentence.links.contains(link) ? 1 : 0;
  }
  return links == 0 ? 0
                    : static_cast<double>(shared) / static_cast<double>(links);
}

std::vector<AttentionHeadId> AllHeads(const TranslatorConfig& config) {
  std::vector<AttentionHeadId> all;
  for (int64_t layer = 0; layer < config.decoder_layers; ++layer)
    for (int64_t head = 0; head < config.num_heads; ++head)
      all.push_back({layer, head});
  return all;
}

// Adds the head that agreement gains most from; false where it gains nothing.
bool AddBestHead(const std::vector<Compared>& sentences,
                 const std::vector<AttentionHeadId>& all, ChosenHeads& chosen) {
  ChosenHeads best = chosen;
  for (const AttentionHeadId& head : all) {
    AlignmentHeads more = chosen.heads;
    if (std::count(more.heads.begin(), more.heads.end(), head) > 0) continue;
    more.heads.push_back(head);
    const double agreement = Agreement(sentences, more);
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
  const Pipeline::Parts& parts = pipeline.parts();
  std::vector<WordPair> words;
  for (const SentencePair& pair : pairs)
    words.push_back(WordsOfPair(pair.source, pair.target));
  const LexicalAligner aligner(words);
  std::vector<Compared> compared;
  const std::size_t stride = std::max<std::size_t>(
      1, pairs.size() / static_cast<std::size_t>(sentences));
  for (std::size_t i = 0; i < pairs.size(); i += stride) {
    if (Fits(parts, pairs[i]))
      compared.push_back(Compare(parts, aligner, pairs[i]));
  }
  const std::vector<AttentionHeadId> all = AllHeads(parts.model.config());
  ChosenHeads best;
  for (const bool reads : {false, true}) {
    ChosenHeads chosen;
    chosen.heads.row_that_reads = reads;
    while (chosen.heads.heads.size() < kMostHeads &&
           AddBestHead(compared, all, chosen)) {
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
  best.of_last_layer = Agreement(compared, last_layer);
  best.sentences = static_cast<int64_t>(compared.size());
  for (const Compared& sentence : compared)
    best.links += static_cast<int64_t>(sentence.links.size());
  return best;
}

void WriteAlignmentHeads(const std::filesystem::path& config_file,
                         const ChosenHeads& chosen) {
  auto json = nlohmann::ordered_json::parse(ReadFile(config_file));
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (const AttentionHeadId& id : chosen.heads.heads)
    heads.push_back({id.layer, id.head});
  json["alignment"] = {{"heads", heads},
                       {"row_that_reads", chosen.heads.row_that_reads},
                       {"agreement", chosen.agreement}};
  WriteFileAtomically(config_file, json.dump(2) + "\n");
}

}  // namespace keylens::translator
