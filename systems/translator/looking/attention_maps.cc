#include "systems/translator/looking/attention_maps.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "systems/translator/search/search_options.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

using Labels = std::vector<std::string>;

constexpr const char* kStart = "<s>";
constexpr const char* kEnd = "</s>";

constexpr const char* kSource = "source";
constexpr const char* kTarget = "translation";

// A piece that goes on with a word begins with a dot.
std::string Label(std::string text, bool begins_word) {
  return begins_word ? text : "·" + text;
}

// The value of a piece that spells a byte ("<0x34>"); none of another.
std::optional<char> ByteOf(std::string_view piece) {
  unsigned value = 0;
  if (piece.size() != 6 || !piece.starts_with("<0x")) return std::nullopt;
  const auto [end, error] =
      std::from_chars(piece.data() + 3, piece.data() + 5, value, 16);
  if (error != std::errc() || end != piece.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

// Of the pieces that spell a word that stands in for another, or is another
// form of it, all are named after the word that is really there.
std::optional<std::string> WordBehind(const EditedText& edited,
                                      std::string_view original,
                                      TextRange piece) {
  const TextRange range = edited.InOriginal(piece);
  const TextRange back = edited.InEdited(range);
  const bool same =
      back == piece && range.In(original) == piece.In(edited.text());
  if (same || range.begin == range.end) return std::nullopt;
  return std::string(range.In(original));
}

TextRange WithoutSpace(std::string_view text, TextRange range) {
  while (range.begin < range.end && text[range.begin] == ' ') ++range.begin;
  return range;
}

// Pieces of what the model read. One that spells a byte is named after the
// character that it is of.
Labels SourceLabels(const TranslationModel& parts, const ModelCall& call) {
  Labels labels;
  const std::string space =
      "\xE2\x96\x81";  // U+2581 as SentencePiece spells it
  const std::string& text = call.source.text();
  const std::vector<TextPiece> pieces = parts.tokenizer.Encode(text);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const TextPiece& piece = pieces[i];
    const bool begins = piece.text.starts_with(space);
    std::string name = begins ? piece.text.substr(space.size()) : piece.text;
    // The last piece of a character has its range.
    std::size_t last = i;
    while (ByteOf(name) && last + 1 < pieces.size() &&
           pieces[last].begin == pieces[last].end)
      ++last;
    const TextRange range = {pieces[last].begin, pieces[last].end};
    if (ByteOf(name)) name = std::string(range.In(text));
    if (auto word =
            WordBehind(call.source, call.original, WithoutSpace(text, range)))
      name = *std::move(word);
    labels.push_back(Label(std::move(name), begins));
  }
  labels.push_back(kEnd);
  return labels;
}

// Pieces of what it wrote: each is what it adds to the text, with words that
// were given back.
Labels TargetLabels(const TranslationModel& parts, const ModelCall& call) {
  const WordOfPiece words = TargetWords(parts.tokenizer, call.ids);
  const std::string written = parts.tokenizer.Decode(call.ids);
  Labels labels;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < call.ids.size(); ++i) {
    const std::size_t end = std::min(
        written.size(),
        parts.tokenizer.Decode(std::span(call.ids).first(i + 1)).size());
    std::string name = parts.tokenizer.Decode(std::span(&call.ids[i], 1));
    TextRange piece = {std::min(begin, end), end};
    while (piece.begin < piece.end && written[piece.begin] == ' ')
      ++piece.begin;
    const TextRange now = call.text.InEdited(piece);
    if (now.end <= call.text.text().size() && now.begin < now.end &&
        piece.begin < piece.end &&
        now.In(call.text.text()) != piece.In(written))
      name = std::string(now.In(call.text.text()));
    labels.push_back(
        Label(std::move(name), i == 0 || words[i] != words[i - 1]));
    begin = end;
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
      parts.WeightsOf(parts.SourceIds(call.source.text()), call.ids, buffers);
  const Labels source = SourceLabels(parts, call);
  const Labels pieces = TargetLabels(parts, call);
  Labels written = pieces, read = pieces;
  written.push_back(kEnd);
  read.insert(read.begin(), kStart);
  if (!pieces.empty()) {
    panels.push_back(AlignmentPanel(parts, weights, pieces, source));
    NameAxes(panels.back(), kTarget, kSource);
    panels.back().name += suffix;
  }
  panels.push_back(Panel("cross-attention" + suffix, weights.decoder.cross,
                         written, source, false));
  NameAxes(panels.back(), kTarget, kSource);
  panels.push_back(
      Panel("decoder" + suffix, weights.decoder.self, read, read, true));
  NameAxes(panels.back(), kTarget, kTarget);
  panels.push_back(
      Panel("encoder" + suffix, weights.encoder, source, source, true));
  NameAxes(panels.back(), kSource, kSource);
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
