#include "systems/translator/translation_model.h"

#include <utility>

#include "systems/translator/model/token_ids.h"
#include "systems/translator/search/beam_search.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {

TranslationModel::TranslationModel(ModelFolder files,
                                   AlignmentHeads alignment_heads)
    : tokenizer(std::move(files.tokenizer)),
      model(files.config, std::move(files.weights)),
      heads(std::move(alignment_heads)) {}

SpecialTokens TranslationModel::special_tokens() const {
  SpecialTokens tokens;
  tokens.start = tokenizer.start_id();
  tokens.end = tokenizer.end_id();
  tokens.never = {tokenizer.start_id(), tokenizer.pad_id(),
                  tokenizer.unknown_id()};
  return tokens;
}

std::vector<int32_t> TranslationModel::SourceIds(std::string_view text) const {
  return translator::SourceIds(tokenizer, text);
}

TranslationWeights TranslationModel::WeightsOf(
    const std::vector<int32_t>& source, const std::vector<int32_t>& ids,
    nn::InferenceBuffers& buffers) const {
  const auto size = static_cast<std::size_t>(model.config().hidden_size);
  std::vector<float> memory(source.size() * size);
  model.Embed(source, memory.data());
  TranslationWeights weights;
  const auto source_len = static_cast<int64_t>(source.size());
  weights.encoder =
      model.encoder().RunWithWeights(memory.data(), source_len, buffers);
  std::vector<int32_t> target = {tokenizer.start_id()};
  target.insert(target.end(), ids.begin(), ids.end());
  std::vector<float> x(target.size() * size);
  model.Embed(target, x.data());
  weights.decoder = model.decoder().RunWithWeights(
      memory.data(), source_len, x.data(), static_cast<int64_t>(target.size()),
      buffers);
  return weights;
}

void TranslationModel::TranslateParts(std::span<TranslatedPart* const> parts,
                                     const TranslateSettings& settings,
                                     bool required) const {
  std::vector<std::vector<int32_t>> sources;
  for (const TranslatedPart* part : parts)
    sources.push_back(SourceIds(part->part.text));
  auto found = BeamSearch(model, special_tokens(), sources, settings.search,
                          settings.threads);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (Hypothesis& hypothesis : found[i]) {
      std::string text = tokenizer.Decode(hypothesis.ids);
      auto restored = Undisguise(text, parts[i]->part.stand_ins);
      if (restored) text = *std::move(restored);
      if (restored || required)
        parts[i]->alternatives.push_back(
            {std::move(text), std::move(hypothesis)});
    }
  }
}

void TranslationModel::AlignPart(TranslatedPart& part, bool links) const {
  if (part.part.copied) {
    const auto count = static_cast<int64_t>(
        SplitAtWhiteSpace(part.alternatives[0].text).size());
    for (int64_t word = 0; links && word < count; ++word)
      part.links.push_back({word, word});
    return;
  }
  const std::vector<int32_t>& ids = part.alternatives[0].hypothesis.ids;
  part.piece_words = TargetWords(tokenizer, ids);
  if (!links || ids.empty()) return;
  const std::vector<int32_t> source = SourceIds(part.part.text);
  nn::InferenceBuffers buffers;
  const AlignmentMatrix matrix =
      PieceAlignment(WeightsOf(source, ids, buffers).decoder.cross, heads,
                     static_cast<int64_t>(ids.size()));
  part.links =
      LinkWords(matrix,
                SourceWords(part.part.text, tokenizer.Encode(part.part.text),
                            source.size()),
                part.piece_words);
  part.entropy_sum = MeanEntropy(matrix) * static_cast<double>(ids.size());
}

}  // namespace keylens::translator
