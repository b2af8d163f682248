#include "systems/translator/looking/survey_heads.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "systems/translator/looking/lexical_agreement.h"
#include "systems/translator/model/token_ids.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

// A lexical aligner learns little more from more.
constexpr int64_t kPairsToLearnFrom = 40000;

constexpr const char* kCross = "cross-attention";

// At most `count`, spread over all.
std::vector<SentencePair> Spread(const std::vector<SentencePair>& pairs,
                                 int64_t count) {
  const auto most = static_cast<std::size_t>(count);
  const std::size_t stride =
      std::max<std::size_t>(1, (pairs.size() + most - 1) / most);
  std::vector<SentencePair> spread;
  for (std::size_t i = 0; i < pairs.size(); i += stride)
    spread.push_back(pairs[i]);
  return spread;
}

std::vector<std::string> Numbers(int64_t count) {
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

render::AttentionPanel Panel(const char* place, bool self_attention,
                             const std::vector<nn::AttentionWeights>& layers) {
  render::AttentionPanel panel;
  panel.name = place;
  panel.self_attention = self_attention;
  panel.queries = Numbers(layers[0].query_len);
  panel.keys = Numbers(layers[0].kv_len);
  panel.layers = static_cast<int>(layers.size());
  panel.heads = static_cast<int>(layers[0].heads);
  for (const nn::AttentionWeights& layer : layers)
    panel.weights.insert(panel.weights.end(), layer.values.begin(),
                         layer.values.end());
  return panel;
}

// Each head of cross-attention by itself.
void SetAgreement(const LexicalAgreement& lexical, bool row_that_reads,
                  inspect::SurveyedPlace& place) {
  for (int64_t layer = 0; layer < place.layers; ++layer) {
    for (int64_t head = 0; head < place.heads; ++head)
      place.agreement.push_back(lexical.Of({{{layer, head}}, row_that_reads}));
  }
}

}  // namespace

SurveyedPairs SurveyHeads(const Pipeline& pipeline, const ParallelText& text,
                          int64_t count) {
  const TranslationModel& parts = pipeline.model();
  LexicalAgreement lexical(pipeline, Spread(text.train, kPairsToLearnFrom));
  inspect::HeadSurvey survey;
  nn::InferenceBuffers buffers;
  for (const SentencePair& pair : Spread(text.valid, count)) {
    if (!lexical.Fits(pair)) continue;
    TranslationWeights weights =
        parts.WeightsOf(parts.SourceIds(pair.source),
                        IdsOf(parts.tokenizer.Encode(pair.target)), buffers);
    survey.Add(Panel("encoder", true, weights.encoder));
    survey.Add(Panel("decoder", true, weights.decoder.self));
    survey.Add(Panel(kCross, false, weights.decoder.cross));
    lexical.Add(pair, std::move(weights.decoder.cross));
  }
  if (lexical.pairs() == 0)
    throw Error("no held-out pair is short enough for the model");
  SurveyedPairs surveyed = {survey.Places(), lexical.pairs(), lexical.links()};
  for (inspect::SurveyedPlace& place : surveyed.places) {
    if (place.name == kCross)
      SetAgreement(lexical, parts.heads.row_that_reads, place);
  }
  return surveyed;
}

}  // namespace keylens::translator
