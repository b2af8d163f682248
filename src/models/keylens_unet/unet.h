#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_UNET_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_UNET_H_

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/cross_attention.h>
#include <keylens/nn/group_norm.h>
#include <keylens/nn/linear.h>
#include <keylens/nn/position_encoding.h>
#include <keylens/nn/residual_block.h>
#include <keylens/nn/spatial_attention.h>
#include <torch/torch.h>

#include <vector>

#include "src/models/keylens_unet/config.h"
#include "src/models/keylens_unet/text_encoder.h"

namespace keylens::generator {

// Attention among the positions of a map, then from them to the text.
class MapAttentionImpl : public torch::nn::Module {
 public:
  MapAttentionImpl(int64_t channels, const UNetConfig& config);

  // x [n, channels, h, w], channels_last -> the same.
  torch::Tensor forward(torch::Tensor x, const EncodedText& text,
                        nn::AttentionRecorder* recorder);

  nn::GroupNorm norm1 = nullptr, norm2 = nullptr;
  nn::SpatialAttention spatial = nullptr;
  nn::CrossAttention cross = nullptr;
};
TORCH_MODULE(MapAttention);

// One level of the U-Net, on the way down or up: residual blocks, and attention
// after the last of them where the level has it.
class LevelImpl : public torch::nn::Module {
 public:
  // in_channels: of the input of each block.
  LevelImpl(const std::vector<int64_t>& in_channels, int64_t out_channels,
            bool with_attention, const UNetConfig& config);

  // Adds the output of each block to `outputs` (down) ...
  torch::Tensor Down(torch::Tensor x, const torch::Tensor& condition,
                     const EncodedText& text, nn::AttentionRecorder* recorder,
                     std::vector<torch::Tensor>& outputs);
  // ... and takes them back, from the end, as further channels (up).
  torch::Tensor Up(torch::Tensor x, const torch::Tensor& condition,
                   const EncodedText& text, nn::AttentionRecorder* recorder,
                   std::vector<torch::Tensor>& outputs);

  torch::nn::ModuleList blocks;
  MapAttention attention = nullptr;
};
TORCH_MODULE(Level);

// The denoising network: a U-Net whose residual blocks are scaled and shifted
// by the time and the pooled text, with attention to the text's tokens at its
// coarse levels.
class UNetImpl : public torch::nn::Module {
 public:
  explicit UNetImpl(const UNetConfig& config);

  // x [n, channels, height, width] in the network's colours (see pixels.h),
  // height and width multiples of SizeMultiple(config); time [n] in [0, 1]
  // -> [n, channels, height, width], what config's Prediction says.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& time,
                        const EncodedText& text,
                        nn::AttentionRecorder* recorder = nullptr);

  nn::Conv2d conv_in = nullptr, conv_out = nullptr;
  nn::TimestepEmbedding time_embedding = nullptr;
  nn::Linear text_projection = nullptr;
  torch::nn::ModuleList down, down_convs, up, up_convs;
  nn::ResidualBlock mid1 = nullptr, mid2 = nullptr;
  MapAttention mid_attention = nullptr;
  nn::GroupNormSilu norm_out = nullptr;
  // position_0, position_1, ...: for each level but the coarsest a learnt map
  // [1, channels, rows, cols] that is added where the level begins. Where there
  // is nothing but noise to see, it is what tells the middle of a picture from
  // its edge.
  std::vector<torch::Tensor> positions;
  // At the coarsest level the map follows from the time and the pooled text:
  // [condition_size] -> [rows, cols, channels]. A first sketch of what the
  // prompt asks for, where.
  nn::Linear layout = nullptr;

  // The type of the maps between the first convolution and the last
  // normalisation: float32, or bfloat16, which some CPUs convolve at twice the
  // speed. Parameters, inputs and outputs stay float32.
  void set_map_type(torch::ScalarType type) { map_type_ = type; }

 private:
  void AddDown();
  void AddPositions();
  void AddMiddle();
  void AddUp();

  torch::Tensor PositionOf(std::size_t level, const torch::Tensor& condition);

  UNetConfig config_;
  torch::ScalarType map_type_ = torch::kFloat;
};
TORCH_MODULE(UNet);

}  // namespace keylens::generator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_UNET_H_
