#include "src/models/keylens_unet/tensors.h"

#include <string>

#include "src/weights/tensor_list.h"

namespace keylens::generator {
namespace {

// The sinusoids that a time becomes, before the first layer.
constexpr int64_t kTimeSize = 64;

class UNetTensors {
 public:
  explicit UNetTensors(const UNetConfig& config) : config_(config) {}

  std::vector<TensorSpec> Take() {
    const int64_t folded = config_.channels * config_.patch * config_.patch;
    const int64_t finest = config_.block_channels.front();
    list_.Conv2d("conv_in", folded, finest, 3);
    list_.Linear("time_embedding.linear1", kTimeSize, config_.condition_size);
    list_.Linear("time_embedding.linear2", config_.condition_size,
                 config_.condition_size);
    list_.Linear("text_projection", 2 * config_.context_size,
                 config_.condition_size);
    Down();
    Positions();
    Middle();
    Up();
    list_.Norm("norm_out", finest);
    list_.Conv2d("conv_out", finest, folded, 3);
    return list_.Take();
  }

 private:
  void Down() {
    const std::vector<int64_t>& channels = config_.block_channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      Level("down." + std::to_string(i), i, channels[i]);
      if (i + 1 < channels.size()) {
        list_.Conv2d("down_convs." + std::to_string(i), channels[i],
                     channels[i + 1], 3);
      }
    }
  }

  void Positions() {
    const std::vector<int64_t>& channels = config_.block_channels;
    int64_t side = config_.sample_size / config_.patch;
    for (std::size_t i = 0; i + 1 < channels.size(); ++i, side /= 2) {
      list_.Add("position_" + std::to_string(i), {1, channels[i], side, side});
    }
    list_.Linear("layout", config_.condition_size,
                 side * side * channels.back());
  }

  void Middle() {
    const int64_t channels = config_.block_channels.back();
    ResidualBlock("mid1", channels, channels);
    MapAttention("mid_attention", channels);
    ResidualBlock("mid2", channels, channels);
  }

  // From the coarsest level, which is the first of `up`.
  void Up() {
    const std::vector<int64_t>& channels = config_.block_channels;
    const std::size_t levels = channels.size();
    for (std::size_t i = 0; i < levels; ++i) {
      const std::size_t level = levels - 1 - i;
      Level("up." + std::to_string(i), level, 2 * channels[level]);
      if (level > 0) {
        list_.Conv2d("up_convs." + std::to_string(i), channels[level],
                     channels[level - 1], 3);
      }
    }
  }

  void Level(const std::string& name, std::size_t level, int64_t in) {
    const int64_t out = config_.block_channels[level];
    for (int64_t i = 0; i < config_.blocks[level]; ++i)
      ResidualBlock(name + ".blocks." + std::to_string(i), in, out);
    if (config_.attention[level]) MapAttention(name + ".attention", out);
  }

  void ResidualBlock(const std::string& name, int64_t in, int64_t out) {
    list_.Norm(name + ".norm1", in);
    list_.Conv2d(name + ".conv1", in, out, 3);
    list_.Linear(name + ".time", config_.condition_size, 2 * out);
    list_.Norm(name + ".norm2", out);
    list_.Conv2d(name + ".conv2", out, out, 3);
    if (in != out) list_.Conv2d(name + ".skip", in, out, 1);
  }

  void MapAttention(const std::string& name, int64_t channels) {
    const int64_t inner = config_.num_heads * config_.head_dim;
    list_.Norm(name + ".norm1", channels);
    list_.Conv2d(name + ".spatial.to_qkv", channels, 3 * inner, 1, false);
    list_.Conv2d(name + ".spatial.to_out", inner, channels, 1);
    list_.Norm(name + ".norm2", channels);
    list_.Conv2d(name + ".cross.to_q", channels, inner, 1, false);
    list_.Linear(name + ".cross.to_k", config_.context_size, inner, false);
    list_.Linear(name + ".cross.to_v", config_.context_size, inner, false);
    list_.Conv2d(name + ".cross.to_out", inner, channels, 1);
  }

  const UNetConfig& config_;
  TensorList list_;
};

}  // namespace

std::vector<TensorSpec> TensorsOf(const TextEncoderConfig& config) {
  TensorList list;
  list.Add("token_embedding.weight", {config.vocab_size, config.hidden_size});
  list.Add("position_embedding.weight",
           {config.max_tokens, config.hidden_size});
  list.EncoderStack("encoder", config.num_layers, config.hidden_size,
                    4 * config.hidden_size);
  return list.Take();
}

std::vector<TensorSpec> TensorsOf(const UNetConfig& config) {
  return UNetTensors(config).Take();
}

}  // namespace keylens::generator
