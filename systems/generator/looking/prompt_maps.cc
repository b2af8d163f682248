#include "systems/generator/looking/prompt_maps.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace keylens::generator {
namespace {

// [steps, heads, positions, tokens] -> [steps, heads, rows, cols, tokens],
// where the grid has the picture's aspect.
torch::Tensor OnGrid(const torch::Tensor& weights, int width, int height) {
  const auto positions = static_cast<double>(weights.size(2));
  const auto cols =
      static_cast<int64_t>(std::lround(std::sqrt(positions * width / height)));
  const int64_t rows = weights.size(2) / std::max<int64_t>(cols, 1);
  if (rows * cols != weights.size(2)) {
    throw std::invalid_argument("MakePromptMaps: a layer of another aspect");
  }
  return weights.view(
      {weights.size(0), weights.size(1), rows, cols, weights.size(3)});
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
  std::vector<std::string> texts;
  for (const PromptToken& token : prompt.tokens)
    texts.push_back(token.piece.text);
  return texts;
}

// Adds the tokens from the last word's end on as words of their own.
void AddStray(const TokenizedPrompt& prompt, std::size_t until,
              std::vector<MappedWord>& words) {
  std::size_t next = words.empty() ? 0 : words.back().last_token;
  for (; next < until; ++next) {
    const PromptToken& token = prompt.tokens[next];
    words.push_back({token.piece.text, token.special, next, next + 1});
  }
}

}  // namespace

std::vector<MappedWord> MapWords(const TokenizedPrompt& prompt) {
  const PromptPieces text = PiecesOf(prompt);
  std::vector<MappedWord> words;
  for (const TextWord& word : WordsOf(prompt.read_text(), text.pieces)) {
    if (word.first_piece == word.last_piece) continue;
    const std::size_t first = text.tokens[word.first_piece];
    AddStray(prompt, first, words);
    words.push_back(
        {word.text, false, first, text.tokens[word.last_piece - 1] + 1});
  }
  AddStray(prompt, prompt.tokens.size(), words);
  return words;
}

PromptMaps MakePromptMaps(const TokenizedPrompt& prompt,
                          const CrossAttentionMaps& recorded, int width,
                          int height) {
  if (recorded.layers().empty()) {
    throw std::invalid_argument("MakePromptMaps: nothing was recorded");
  }
  PromptMaps result;
  result.tokens = TokenTexts(prompt);
  result.words = MapWords(prompt);
  for (const CrossAttentionMaps::Layer& layer : recorded.layers())
    result.layers.push_back({layer.name, OnGrid(layer.weights, width, height)});
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
