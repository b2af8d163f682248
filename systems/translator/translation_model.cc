#include "systems/translator/translation_model.h"

#include <cmath>
#include <optional>
#include <utility>

#include "src/base/error.h"
#include "systems/translator/lines/capitals.h"
#include "systems/translator/lines/word_places.h"
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

namespace {

// What the model wrote, its stand-ins given back; none where one is missing. A
// model that writes nothing leaves the text as it is.
std::optional<PartText> Restored(const LinePart& part, std::string written,
                                 Hypothesis hypothesis) {
  PartText text;
  text.written = SplitAtWhiteSpace(written).empty() ? part.source.text()
                                                    : std::move(written);
  auto edits = Undisguise(text.written, part.stand_ins);
  if (!edits) return std::nullopt;
  if (part.capitals) {
    std::vector<TextRange> kept;
    for (const TextEdit& edit : *edits) kept.push_back(edit.range);
    text.written = InCapitals(text.written, kept);
  }
  text.edits = *std::move(edits);
  text.text = EditedText(text.written, text.edits);
  text.hypothesis = std::move(hypothesis);
  return text;
}

void RequireFinite(const std::vector<Hypothesis>& hypotheses) {
  for (const Hypothesis& hypothesis : hypotheses)
    if (std::isfinite(hypothesis.log_prob)) return;
  throw Error("what the model computes is not finite: its weights are damaged");
}

}  // namespace

void TranslationModel::TranslateParts(std::span<TranslatedPart* const> parts,
                                      const TranslateSettings& settings) const {
  std::vector<std::vector<int32_t>> sources;
  for (const TranslatedPart* part : parts)
    sources.push_back(SourceIds(part->part.source.text()));
  auto found = BeamSearch(model, special_tokens(), sources, settings.search,
                          settings.threads);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    RequireFinite(found[i]);
    for (Hypothesis& hypothesis : found[i]) {
      std::string written = tokenizer.Decode(hypothesis.ids);
      if (auto text = Restored(parts[i]->part, std::move(written),
                               std::move(hypothesis)))
        parts[i]->alternatives.push_back(*std::move(text));
    }
    parts[i]->state =
        parts[i]->alternatives.empty() ? PartState::kLost : PartState::kDone;
    PlaceMarks(*parts[i]);
  }
}

std::vector<WordLink> TranslationModel::LinksOf(const LinePart& part,
                                                const std::vector<int32_t>& ids,
                                                double* entropy_sum) const {
  if (ids.empty()) return {};
  const std::string& text = part.source.text();
  const std::vector<int32_t> source = SourceIds(text);
  nn::InferenceBuffers buffers;
  const AlignmentMatrix matrix =
      PieceAlignment(WeightsOf(source, ids, buffers).decoder.cross, heads,
                     static_cast<int64_t>(ids.size()));
  if (entropy_sum != nullptr)
    *entropy_sum = MeanEntropy(matrix) * static_cast<double>(ids.size());
  return LinkWords(matrix,
                   SourceWords(text, tokenizer.Encode(text), source.size()),
                   TargetWords(tokenizer, ids));
}

void TranslationModel::PlaceMarks(TranslatedPart& part) const {
  if (part.part.copied || part.part.marks.empty()) return;
  for (PartText& text : part.alternatives) {
    std::vector<TextEdit> edits =
        MarkEdits(part.part, text.written,
                  LinksOf(part.part, text.hypothesis.ids, nullptr));
    edits.insert(edits.end(), text.edits.begin(), text.edits.end());
    text.edits = SortedEdits(std::move(edits));
    text.text = EditedText(text.written, text.edits);
  }
}

void TranslationModel::AlignPart(std::string_view line, TranslatedPart& part,
                                 bool links) const {
  if (part.part.copied) {
    if (links) part.links = LinksOfCopy(line, part);
    return;
  }
  const PartText& best = part.alternatives[0];
  part.piece_words =
      WordsInText(best, TargetWords(tokenizer, best.hypothesis.ids));
  if (!links) return;
  part.links = LinksInLine(
      line, part, LinksOf(part.part, best.hypothesis.ids, &part.entropy_sum));
}

}  // namespace keylens::translator
