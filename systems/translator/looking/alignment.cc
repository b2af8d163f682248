#include "systems/translator/looking/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/json_mistake.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

AlignmentHeads LastLayer(const TranslatorConfig& config) {
  AlignmentHeads chosen;
  for (int64_t head = 0; head < config.num_heads; ++head)
    chosen.heads.push_back({config.decoder_layers - 1, head});
  return chosen;
}

AlignmentHeads ParseHeads(const nlohmann::json& entry,
                          const TranslatorConfig& config) {
  AlignmentHeads chosen;
  chosen.row_that_reads = entry.at("row_that_reads").get<bool>();
  for (const nlohmann::json& pair : entry.at("heads")) {
    const AttentionHeadId id = {pair.at(0).get<int64_t>(),
                                pair.at(1).get<int64_t>()};
    if (id.layer < 0 || id.layer >= config.decoder_layers || id.head < 0 ||
        id.head >= config.num_heads) {
      throw Error(fmt::format("the model has no head {} of layer {}", id.head,
                              id.layer));
    }
    chosen.heads.push_back(id);
  }
  if (chosen.heads.empty()) throw Error("there is no head");
  return chosen;
}

int64_t NumWords(const WordOfPiece& words) {
  return words.empty() ? 0 : *std::max_element(words.begin(), words.end()) + 1;
}

}  // namespace

AlignmentHeads ReadAlignmentHeads(const std::filesystem::path& config_file,
                                  const TranslatorConfig& config) {
  try {
    const auto json = nlohmann::json::parse(ReadFile(config_file));
    const auto found = json.find("alignment");
    return found == json.end() ? LastLayer(config) : ParseHeads(*found, config);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}: alignment: {}", config_file.string(),
                            JsonMistake(error)));
  } catch (const Error& error) {
    throw Error(
        fmt::format("{}: alignment: {}", config_file.string(), error.what()));
  }
}

AlignmentMatrix PieceAlignment(const std::vector<nn::AttentionWeights>& cross,
                               const AlignmentHeads& chosen, int64_t pieces) {
  AlignmentMatrix matrix{pieces, cross[0].kv_len, {}};
  matrix.values.resize(static_cast<std::size_t>(pieces * matrix.cols));
  const int64_t first_row = chosen.row_that_reads ? 1 : 0;
  for (const AttentionHeadId& id : chosen.heads) {
    const nn::AttentionWeights& layer =
        cross[static_cast<std::size_t>(id.layer)];
    const float* weights =
        layer.values.data() +
        (id.head * layer.query_len + first_row) * layer.kv_len;
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
      matrix.values[i] += weights[i] / static_cast<float>(chosen.heads.size());
  }
  return matrix;
}

double MeanEntropy(const AlignmentMatrix& matrix) {
  if (matrix.rows == 0) return 0;
  double sum = 0;
  for (const float weight : matrix.values) {
    const auto w = static_cast<double>(weight);
    if (w > 0) sum -= w * std::log(w);
  }
  return sum / static_cast<double>(matrix.rows);
}

WordOfPiece SourceWords(std::string_view text,
                        const std::vector<TextPiece>& pieces,
                        std::size_t tokens) {
  WordOfPiece words(tokens, -1);
  const std::vector<TextWord> found = WordsOf(text, pieces);
  for (std::size_t w = 0; w < found.size(); ++w) {
    for (std::size_t p = found[w].first_piece; p < found[w].last_piece; ++p)
      words[p] = static_cast<int64_t>(w);
  }
  return words;
}

// A piece belongs to the last word of the text up to it.
WordOfPiece TargetWords(const Tokenizer& tokenizer,
                        const std::vector<int32_t>& ids) {
  WordOfPiece words;
  for (std::size_t i = 1; i <= ids.size(); ++i) {
    const std::string text = tokenizer.Decode(std::span(ids).first(i));
    const auto count = static_cast<int64_t>(SplitAtWhiteSpace(text).size());
    words.push_back(std::max<int64_t>(0, count - 1));
  }
  return words;
}

std::vector<WordLink> LinkWords(const AlignmentMatrix& matrix,
                                const WordOfPiece& source,
                                const WordOfPiece& target) {
  const int64_t num_sources = NumWords(source);
  std::vector<WordLink> links;
  for (int64_t word = 0; word < NumWords(target); ++word) {
    std::vector<double> weights(static_cast<std::size_t>(num_sources));
    for (int64_t row = 0; row < matrix.rows; ++row) {
      if (target[static_cast<std::size_t>(row)] != word) continue;
      for (int64_t col = 0; col < matrix.cols; ++col) {
        const int64_t from = source[static_cast<std::size_t>(col)];
        if (from >= 0)
          weights[static_cast<std::size_t>(from)] +=
              static_cast<double>(matrix.At(row, col));
      }
    }
    const auto best = std::max_element(weights.begin(), weights.end());
    if (best != weights.end() && *best > 0)
      links.push_back({best - weights.begin(), word});
  }
  return links;
}

std::string PharaohText(std::vector<WordLink> links) {
  std::sort(links.begin(), links.end());
  std::string text;
  for (const WordLink& link : links) {
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", link.source,
                        link.target);
  }
  return text;
}

}  // namespace keylens::translator
