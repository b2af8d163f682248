#include "src/models/keylens_unet/unet.h"

#include <string>
#include <utility>

namespace keylens::generator {
namespace {

nn::Conv2d Conv3x3(int64_t in, int64_t out, int64_t stride = 1) {
  return nn::Conv2d(
      torch::nn::Conv2dOptions(in, out, 3).stride(stride).padding(1));
}

// [n, c, h, w] -> [n, c * patch^2, h / patch, w / patch], channels_last.
torch::Tensor FoldPatches(const torch::Tensor& x, int64_t patch) {
  const int64_t n = x.size(0), c = x.size(1);
  const int64_t h = x.size(2) / patch, w = x.size(3) / patch;
  return x.reshape({n, c, h, patch, w, patch})
      .permute({0, 2, 4, 1, 3, 5})
      .reshape({n, h, w, c * patch * patch})
      .permute({0, 3, 1, 2});
}

// The inverse; contiguous.
torch::Tensor UnfoldPatches(const torch::Tensor& x, int64_t patch) {
  const int64_t n = x.size(0), c = x.size(1) / (patch * patch);
  const int64_t h = x.size(2), w = x.size(3);
  return x.permute({0, 2, 3, 1})
      .reshape({n, h, w, c, patch, patch})
      .permute({0, 3, 1, 4, 2, 5})
      .reshape({n, c, h * patch, w * patch});
}

// map + position; where a map is of another size than was trained on, the
// position is stretched.
torch::Tensor WithPosition(const torch::Tensor& map, torch::Tensor position) {
  if (position.size(2) != map.size(2) || position.size(3) != map.size(3)) {
    position =
        torch::upsample_bilinear2d(position, {map.size(2), map.size(3)}, false);
  }
  return map + position.to(map.scalar_type());
}

torch::Tensor Upsampled(const torch::Tensor& x) {
  return torch::upsample_nearest2d(x, {x.size(2) * 2, x.size(3) * 2});
}

}  // namespace

MapAttentionImpl::MapAttentionImpl(int64_t channels, const UNetConfig& config) {
  norm1 = register_module("norm1", nn::GroupNorm(config.norm_groups, channels));
  spatial = register_module(
      "spatial",
      nn::SpatialAttention(channels, config.num_heads, config.head_dim));
  norm2 = register_module("norm2", nn::GroupNorm(config.norm_groups, channels));
  cross = register_module(
      "cross", nn::CrossAttention(channels, config.context_size,
                                  config.num_heads, config.head_dim));
}

torch::Tensor MapAttentionImpl::forward(torch::Tensor x,
                                        const EncodedText& text,
                                        nn::AttentionRecorder* recorder) {
  x = x + spatial->forward(norm1->forward(x), recorder);
  return x +
         cross->forward(norm2->forward(x), text.tokens, text.lengths, recorder);
}

LevelImpl::LevelImpl(const std::vector<int64_t>& in_channels,
                     int64_t out_channels, bool with_attention,
                     const UNetConfig& config) {
  register_module("blocks", blocks);
  for (const int64_t in : in_channels) {
    blocks->push_back(nn::ResidualBlock(in, out_channels, config.condition_size,
                                        config.norm_groups));
  }
  if (with_attention) {
    attention =
        register_module("attention", MapAttention(out_channels, config));
  }
}

torch::Tensor LevelImpl::Down(torch::Tensor x, const torch::Tensor& condition,
                              const EncodedText& text,
                              nn::AttentionRecorder* recorder,
                              std::vector<torch::Tensor>& outputs) {
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    x = blocks[i]->as<nn::ResidualBlock>()->forward(x, condition);
    const bool last = i + 1 == blocks->size();
    if (last && attention) x = attention->forward(x, text, recorder);
    outputs.push_back(x);
  }
  return x;
}

torch::Tensor LevelImpl::Up(torch::Tensor x, const torch::Tensor& condition,
                            const EncodedText& text,
                            nn::AttentionRecorder* recorder,
                            std::vector<torch::Tensor>& outputs) {
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    x = torch::cat({x, outputs.back()}, 1);
    outputs.pop_back();
    x = blocks[i]->as<nn::ResidualBlock>()->forward(x, condition);
  }
  if (attention) x = attention->forward(x, text, recorder);
  return x;
}

UNetImpl::UNetImpl(const UNetConfig& config) : config_(config) {
  const int64_t folded = config.channels * config.patch * config.patch;
  const int64_t finest = config.block_channels.front();
  conv_in = register_module("conv_in", Conv3x3(folded, finest));
  time_embedding = register_module(
      "time_embedding", nn::TimestepEmbedding(config.condition_size));
  text_projection = register_module(
      "text_projection",
      nn::Linear(2 * config.context_size, config.condition_size));
  AddDown();
  AddPositions();
  AddMiddle();
  AddUp();
  norm_out = register_module("norm_out",
                             nn::GroupNormSilu(config.norm_groups, finest));
  conv_out = register_module("conv_out", Conv3x3(finest, folded));
  torch::NoGradGuard no_grad;
  conv_out->weight.zero_();  // a new network predicts nothing, not noise
  conv_out->bias.zero_();
}

void UNetImpl::AddDown() {
  register_module("down", down);
  register_module("down_convs", down_convs);
  const std::vector<int64_t>& channels = config_.block_channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    down->push_back(Level(std::vector<int64_t>(config_.blocks[i], channels[i]),
                          channels[i], config_.attention[i], config_));
    if (i + 1 < channels.size()) {
      down_convs->push_back(Conv3x3(channels[i], channels[i + 1], 2));
    }
  }
}

void UNetImpl::AddPositions() {
  const std::vector<int64_t>& channels = config_.block_channels;
  int64_t side = config_.sample_size / config_.patch;
  for (std::size_t i = 0; i + 1 < channels.size(); ++i, side /= 2) {
    positions.push_back(
        register_parameter("position_" + std::to_string(i),
                           torch::zeros({1, channels[i], side, side})));
  }
  layout = register_module("layout", nn::Linear(config_.condition_size,
                                                side * side * channels.back()));
  torch::NoGradGuard no_grad;
  layout->weight.zero_();
  layout->bias.zero_();
}

torch::Tensor UNetImpl::PositionOf(std::size_t level,
                                   const torch::Tensor& condition) {
  if (level < positions.size()) return positions[level];
  const int64_t side = (config_.sample_size / config_.patch) >> level;
  return layout->forward(condition)
      .reshape({condition.size(0), side, side, -1})
      .permute({0, 3, 1, 2});
}

void UNetImpl::AddMiddle() {
  const int64_t channels = config_.block_channels.back();
  const auto block = [&] {
    return nn::ResidualBlock(channels, channels, config_.condition_size,
                             config_.norm_groups);
  };
  mid1 = register_module("mid1", block());
  mid_attention =
      register_module("mid_attention", MapAttention(channels, config_));
  mid2 = register_module("mid2", block());
}

void UNetImpl::AddUp() {
  register_module("up", up);
  register_module("up_convs", up_convs);
  const std::vector<int64_t>& channels = config_.block_channels;
  for (std::size_t i = channels.size(); i-- > 0;) {
    up->push_back(
        Level(std::vector<int64_t>(config_.blocks[i], 2 * channels[i]),
              channels[i], config_.attention[i], config_));
    if (i > 0) up_convs->push_back(Conv3x3(channels[i], channels[i - 1]));
  }
}

torch::Tensor UNetImpl::forward(const torch::Tensor& x,
                                const torch::Tensor& time,
                                const EncodedText& text,
                                nn::AttentionRecorder* recorder) {
  const torch::Tensor condition =
      torch::silu(time_embedding->forward(time) +
                  config_.text_gain * text_projection->forward(text.pooled));
  std::vector<torch::Tensor> outputs;
  torch::Tensor map =
      conv_in->forward(FoldPatches(x, config_.patch).to(map_type_));
  for (std::size_t i = 0; i < down->size(); ++i) {
    map = WithPosition(map, PositionOf(i, condition));
    map = down[i]->as<Level>()->Down(map, condition, text, recorder, outputs);
    if (i < down_convs->size()) {
      map = down_convs[i]->as<nn::Conv2d>()->forward(map);
    }
  }
  map = mid1->forward(map, condition);
  map = mid_attention->forward(map, text, recorder);
  map = mid2->forward(map, condition);
  for (std::size_t i = 0; i < up->size(); ++i) {
    map = up[i]->as<Level>()->Up(map, condition, text, recorder, outputs);
    if (i < up_convs->size()) {
      // The convolution comes first: at a quarter of the positions.
      map = Upsampled(up_convs[i]->as<nn::Conv2d>()->forward(map));
    }
  }
  return UnfoldPatches(
      conv_out->forward(norm_out->forward(map.to(torch::kFloat))),
      config_.patch);
}

}  // namespace keylens::generator
