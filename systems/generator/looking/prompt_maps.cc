#include "systems/generator/looking/prompt_maps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>

namespace keylens::generator {
namespace {

constexpr std::string_view kLayerSuffix = ".cross";
constexpr const char* kStart = "<start>";
constexpr const char* kEnd = "<end>";

// [batch 1, heads, positions, tokens] -> [heads, rows, cols, tokens], where the
// grid has the picture's aspect.
torch::Tensor OnGrid(const torch::Tensor& weights, int width, int height) {
  const auto positions = static_cast<double>(weights.size(2));
  const auto cols =
      static_cast<int64_t>(std::lround(std::sqrt(positions * width / height)));
  const int64_t rows = weights.size(2) / std::max<int64_t>(cols, 1);
  if (rows * cols != weights.size(2)) {
    throw std::invalid_argument("MakePromptMaps: a layer of another aspect");
  }
  return weights[0].reshape({weights.size(1), rows, cols, weights.size(3)});
}

std::vector<LayerMaps> StackLayers(const nn::AttentionMaps& recorded, int width,
                                   int height) {
  std::vector<LayerMaps> layers;
  std::map<std::string, std::vector<torch::Tensor>> steps;
  for (const nn::AttentionMaps::Entry& entry : recorded.entries()) {
    if (!steps.contains(entry.layer)) layers.push_back({entry.layer, {}});
    steps[entry.layer].push_back(OnGrid(entry.weights, width, height));
  }
  for (LayerMaps& layer : layers) {
    layer.weights = torch::stack(steps[layer.name]);
  }
  return layers;
}

// The mean over layers and heads: [steps, tokens, rows, cols], on the finest
// grid. Interpolation is linear, so that the tokens' sum stays 1 everywhere.
torch::Tensor MeanOverLayers(const std::vector<LayerMaps>& layers) {
  int64_t rows = 0, cols = 0;
  for (const LayerMaps& layer : layers) {
    rows = std::max(rows, layer.weights.size(2));
    cols = std::max(cols, layer.weights.size(3));
  }
  torch::Tensor sum;
  for (const LayerMaps& layer : layers) {
    const torch::Tensor mean = layer.weights.mean(1).permute({0, 3, 1, 2});
    const torch::Tensor fine =
        torch::upsample_bilinear2d(mean.contiguous(), {rows, cols}, false);
    sum = sum.defined() ? sum + fine : fine;
  }
  return sum / static_cast<double>(layers.size());
}

std::vector<std::string> TokenTexts(const TokenizedPrompt& prompt) {
  std::vector<std::string> tokens = {kStart};
  for (const TextPiece& piece : prompt.pieces) tokens.push_back(piece.text);
  tokens.emplace_back(kEnd);
  return tokens;
}

}  // namespace

bool CrossAttentionMaps::Wants(const std::string& layer) const {
  return layer.ends_with(kLayerSuffix);
}

std::vector<MappedWord> MapWords(const TokenizedPrompt& prompt) {
  std::vector<MappedWord> words = {{kStart, true, 0, 1}};
  const auto add_stray = [&](std::size_t until) {
    for (std::size_t i = words.back().last_token; i < until; ++i) {
      words.push_back({prompt.pieces[i - 1].text, false, i, i + 1});
    }
  };
  const std::string_view read =
      std::string_view(prompt.text).substr(0, prompt.read_bytes);
  for (const TextWord& word : WordsOf(read, prompt.pieces)) {
    if (word.first_piece == word.last_piece) continue;
    add_stray(word.first_piece + 1);
    words.push_back(
        {word.text, false, word.first_piece + 1, word.last_piece + 1});
  }
  const std::size_t end = prompt.pieces.size() + 1;
  add_stray(end);
  words.push_back({kEnd, true, end, end + 1});
  return words;
}

PromptMaps MakePromptMaps(const TokenizedPrompt& prompt,
                          const nn::AttentionMaps& recorded, int width,
                          int height) {
  if (recorded.entries().empty()) {
    throw std::invalid_argument("MakePromptMaps: nothing was recorded");
  }
  PromptMaps result;
  result.tokens = TokenTexts(prompt);
  result.words = MapWords(prompt);
  result.layers = StackLayers(recorded, width, height);
  const torch::Tensor tokens = MeanOverLayers(result.layers);
  std::vector<torch::Tensor> maps;
  for (const MappedWord& word : result.words) {
    maps.push_back(tokens
                       .slice(1, static_cast<int64_t>(word.first_token),
                              static_cast<int64_t>(word.last_token))
                       .sum(1));
  }
  result.maps = torch::stack(maps, 1).contiguous();
  return result;
}

}  // namespace keylens::generator
