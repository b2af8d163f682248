#include "src/models/keylens_translator/inference_model.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "src/nn/inference/positions.h"

namespace keylens::translator {
namespace {

constexpr const char* kEmbedding = "embedding.weight";

}  // namespace

InferenceModel::InferenceModel(const TranslatorConfig& config,
                               std::shared_ptr<const WeightSource> weights)
    : config_(config),
      weights_(std::move(weights)),
      embedding_(nn::FindWeight(*weights_, kEmbedding,
                                {config.vocab_size, config.hidden_size})),
      positions_(nn::SinusoidalTable(config.max_tokens, config.hidden_size)),
      encoder_(*weights_, "encoder.", EncoderOptions(config)),
      decoder_(*weights_, "decoder.", DecoderOptions(config)),
      output_(embedding_, config.hidden_size, config.vocab_size) {}

void InferenceModel::EmbedRow(int32_t id, int64_t position, float* row) const {
  if (position >= config_.max_tokens || id < 0 || id >= config_.vocab_size) {
    throw std::invalid_argument(fmt::format(
        "InferenceModel: token {} at position {}; the model has {} tokens and "
        "{} positions",
        id, position, config_.vocab_size, config_.max_tokens));
  }
  const int64_t size = config_.hidden_size;
  CopyAsFloat(embedding_, id * size, {row, static_cast<std::size_t>(size)});
  const auto scale =
      static_cast<float>(std::sqrt(static_cast<double>(config_.hidden_size)));
  const float* encoding = positions_.data() + position * size;
  for (int64_t c = 0; c < size; ++c) row[c] = row[c] * scale + encoding[c];
}

void InferenceModel::EmbedAt(std::span<const int32_t> ids, int64_t position,
                             float* x) const {
  for (const int32_t id : ids) {
    EmbedRow(id, position, x);
    x += config_.hidden_size;
  }
}

void InferenceModel::Embed(std::span<const int32_t> ids, float* x) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EmbedRow(ids[i], static_cast<int64_t>(i),
             x + static_cast<int64_t>(i) * config_.hidden_size);
  }
}

Memory InferenceModel::Encode(std::span<const std::vector<int32_t>> sources,
                              nn::InferenceBuffers& buffers) const {
  Memory memory;
  memory.offsets.push_back(0);
  for (const auto& source : sources) {
    memory.offsets.push_back(memory.offsets.back() +
                             static_cast<int64_t>(source.size()));
  }
  memory.rows.resize(
      static_cast<std::size_t>(memory.offsets.back() * config_.hidden_size));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    Embed(sources[s],
          memory.rows.data() + memory.offsets[s] * config_.hidden_size);
  }
  encoder_.Run(memory.rows.data(), memory.offsets, buffers);
  return memory;
}

void InferenceModel::Logits(const float* hidden, int64_t n,
                            float* logits) const {
  output_.Apply(hidden, n, logits);
}

}  // namespace keylens::translator
