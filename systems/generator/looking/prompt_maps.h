#ifndef KEYLENS_SYSTEMS_GENERATOR_LOOKING_PROMPT_MAPS_H_
#define KEYLENS_SYSTEMS_GENERATOR_LOOKING_PROMPT_MAPS_H_

#include <torch/torch.h>

#include <string>
#include <vector>

#include "systems/generator/looking/cross_attention_maps.h"
#include "systems/generator/prompt.h"

namespace keylens::generator {

// A word of the prompt, or its start or end, and the tokens
// [first_token, last_token) that make it up.
struct MappedWord {
  std::string text;
  bool special = false;
  std::size_t first_token = 0;
  std::size_t last_token = 0;
};

// What one layer looked at, in every step.
struct LayerMaps {
  std::string name;
  torch::Tensor weights;  // [steps, heads, rows, cols, tokens]
};

// Which part of the picture looked at which word.
struct PromptMaps {
  std::vector<std::string> tokens;  // start and end included
  std::vector<MappedWord> words;    // every token belongs to exactly one
  // [steps, words, rows, cols]: the mean over layers and heads of the attention
  // that each place paid to the word's tokens, on the grid of the finest layer.
  // At every place and in every step the words' weights add up to 1.
  torch::Tensor maps;
  std::vector<LayerMaps> layers;  // views of what was recorded
};

// `recorded` holds the attention of one picture of width x height pixels (the
// aspect of every layer's grid). Throws std::invalid_argument where nothing was
// recorded.
PromptMaps MakePromptMaps(const TokenizedPrompt& prompt,
                          const CrossAttentionMaps& recorded, int width,
                          int height);

// The words of a prompt with their tokens.
std::vector<MappedWord> MapWords(const TokenizedPrompt& prompt);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_LOOKING_PROMPT_MAPS_H_
