#include "systems/translator/looking/attention_maps.h"

#include <cstddef>
#include <string>
#include <utility>

#include "systems/translator/search/search_options.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

using Labels = std::vector<std::string>;

constexpr const char* kStart = "<s>";
constexpr const char* kEnd = "</s>";

// A piece that goes on with a word begins with a dot.
std::string Label(std::string text, bool begins_word) {
  return begins_word ? text : "·" + text;
}

Labels SourceLabels(const TranslationModel& parts, const std::string& text) {
  Labels labels;
  const std::string space =
      "\xE2\x96\x81";  // U+2581 as SentencePiece spells it
  for (const TextPiece& piece : parts.tokenizer.Encode(text)) {
    const bool begins = piece.text.starts_with(space);
    labels.push_back(
        Label(begins ? piece.text.substr(space.size()) : piece.text, begins));
  }
  labels.push_back(kEnd);
  return labels;
}

Labels TargetLabels(const TranslationModel& parts,
                    const std::vector<int32_t>& ids) {
  const WordOfPiece words = TargetWords(parts.tokenizer, ids);
  Labels labels;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    labels.push_back(Label(parts.tokenizer.Decode(std::span(&ids[i], 1)),
                           i == 0 || words[i] != words[i - 1]));
  }
  return labels;
}

render::AttentionPanel Panel(const std::string& name,
                             const std::vector<nn::AttentionWeights>& layers,
                             Labels queries, Labels keys, bool self_attention) {
  render::AttentionPanel panel;
  panel.name = name;
  panel.self_attention = self_attention;
  panel.queries = std::move(queries);
  panel.keys = std::move(keys);
  panel.layers = static_cast<int>(layers.size());
  panel.heads = static_cast<int>(layers[0].heads);
  for (const nn::AttentionWeights& layer : layers)
    panel.weights.insert(panel.weights.end(), layer.values.begin(),
                         layer.values.end());
  panel.statistics = render::StatisticsOf(panel);
  return panel;
}

render::AttentionPanel AlignmentPanel(const TranslationModel& parts,
                                      const TranslationWeights& weights,
                                      const Labels& target,
                                      const Labels& source) {
  render::AttentionPanel panel;
  panel.name = "alignment";
  panel.queries = target;
  panel.keys = source;
  panel.weights = PieceAlignment(weights.decoder.cross, parts.heads,
                                 static_cast<int64_t>(target.size()))
                      .values;
  return panel;
}

void NameAxes(render::AttentionPanel& panel, const char* queries,
              const char* keys) {
  panel.query_axis = queries;
  panel.key_axis = keys;
}

void AddPanels(const TranslationModel& parts, const ModelCall& call,
               const std::string& suffix,
               std::vector<render::AttentionPanel>& panels) {
  nn::InferenceBuffers buffers;
  const TranslationWeights weights =
      parts.WeightsOf(parts.SourceIds(call.source), call.ids, buffers);
  const Labels source = SourceLabels(parts, call.source);
  const Labels pieces = TargetLabels(parts, call.ids);
  Labels written = pieces, read = pieces;
  written.push_back(kEnd);
  read.insert(read.begin(), kStart);
  if (!pieces.empty()) {
    panels.push_back(AlignmentPanel(parts, weights, pieces, source));
    NameAxes(panels.back(), "English", "German");
    panels.back().name += suffix;
  }
  panels.push_back(Panel("cross-attention" + suffix, weights.decoder.cross,
                         written, source, false));
  NameAxes(panels.back(), "English", "German");
  panels.push_back(
      Panel("decoder" + suffix, weights.decoder.self, read, read, true));
  NameAxes(panels.back(), "English", "English");
  panels.push_back(
      Panel("encoder" + suffix, weights.encoder, source, source, true));
  NameAxes(panels.back(), "German", "German");
}

}  // namespace

render::AttentionReport AttentionMaps(const Pipeline& pipeline,
                                      const Translation& translation) {
  render::AttentionReport report;
  report.title = translation.source + " → " + translation.text;
  report.notes = {
      "Rows of the alignment and of cross-attention are named after the piece "
      "that they write, rows of the decoder after the piece that they read."};
  for (std::size_t i = 0; i < translation.calls.size(); ++i) {
    const std::string suffix =
        translation.calls.size() == 1 ? "" : ", part " + std::to_string(i + 1);
    AddPanels(pipeline.model(), translation.calls[i], suffix, report.panels);
  }
  return report;
}

}  // namespace keylens::translator
