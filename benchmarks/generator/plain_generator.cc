#include "benchmarks/generator/plain_generator.h"

#include <keylens/nn/position_encoding.h>

#include <cmath>
#include <limits>

namespace keylens::generator {
namespace {

// query, key, value [batch, heads, len, dim]; mask adds to the scores.
torch::Tensor PlainAttention(const torch::Tensor& query,
                             const torch::Tensor& key,
                             const torch::Tensor& value,
                             const torch::Tensor& mask = {}) {
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(3)));
  torch::Tensor scores = torch::matmul(query * scale, key.transpose(2, 3));
  if (mask.defined()) scores = scores + mask;
  return torch::matmul(torch::softmax(scores, -1), value);
}

// [batch, len, heads * dim] -> [batch, heads, len, dim]
torch::Tensor SplitHeads(const torch::Tensor& x, int64_t heads) {
  return x.reshape({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}

// [batch, heads * dim, h, w] -> [batch, heads, h * w, dim]
torch::Tensor SplitMap(const torch::Tensor& x, int64_t heads) {
  return x.reshape({x.size(0), heads, -1, x.size(2) * x.size(3)})
      .transpose(2, 3);
}

// [n, 1, 1, len]: 0 where a token counts, -inf in the padding.
torch::Tensor PaddingMask(const TokenBatch& batch) {
  torch::Tensor mask =
      torch::zeros({batch.ids.size(0), 1, 1, batch.ids.size(1)});
  for (int64_t i = 0; i < mask.size(0); ++i) {
    mask[i]
        .slice(2, batch.lengths[i])
        .fill_(-std::numeric_limits<float>::infinity());
  }
  return mask;
}

}  // namespace

PlainGenerator::PlainGenerator(const GeneratorModelImpl& model)
    : config_(model.config()) {
  for (const auto& item : model.named_parameters()) {
    parameters_[item.key()] =
        item.value().detach().contiguous().clone().requires_grad_(true);
  }
}

std::vector<torch::Tensor> PlainGenerator::Parameters() const {
  std::vector<torch::Tensor> parameters;
  for (const auto& [name, parameter] : parameters_) {
    parameters.push_back(parameter);
  }
  return parameters;
}

torch::Tensor PlainGenerator::At(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? torch::Tensor() : found->second;
}

torch::Tensor PlainGenerator::Conv(const torch::Tensor& x,
                                   const std::string& name,
                                   int64_t stride) const {
  const torch::Tensor weight = At(name + ".weight");
  return torch::conv2d(x, weight, At(name + ".bias"), stride,
                       weight.size(2) / 2);
}

torch::Tensor PlainGenerator::Linear(const torch::Tensor& x,
                                     const std::string& name) const {
  return torch::linear(x, At(name + ".weight"), At(name + ".bias"));
}

torch::Tensor PlainGenerator::GroupNorm(const torch::Tensor& x,
                                        const std::string& name) const {
  return torch::group_norm(x, config_.unet.norm_groups, At(name + ".weight"),
                           At(name + ".bias"));
}

torch::Tensor PlainGenerator::LayerNorm(const torch::Tensor& x,
                                        const std::string& name) const {
  return torch::layer_norm(x, {x.size(2)}, At(name + ".weight"),
                           At(name + ".bias"));
}

torch::Tensor PlainGenerator::EncoderLayer(const torch::Tensor& x,
                                           const torch::Tensor& mask,
                                           const std::string& name) const {
  const int64_t heads = config_.text.num_heads;
  const std::string attention = name + ".attention.";
  const torch::Tensor in = LayerNorm(x, name + ".norm1");
  const torch::Tensor attended =
      PlainAttention(SplitHeads(Linear(in, attention + "query"), heads),
                     SplitHeads(Linear(in, attention + "key"), heads),
                     SplitHeads(Linear(in, attention + "value"), heads), mask)
          .transpose(1, 2)
          .reshape(x.sizes());
  const torch::Tensor middle = x + Linear(attended, attention + "output");
  return middle + Linear(torch::gelu(Linear(LayerNorm(middle, name + ".norm2"),
                                            name + ".linear1")),
                         name + ".linear2");
}

PlainGenerator::Text PlainGenerator::Encode(const TokenBatch& batch) const {
  const torch::Tensor mask = PaddingMask(batch);
  const torch::Tensor words =
      torch::embedding(At("text_encoder.token_embedding.weight"), batch.ids);
  torch::Tensor x = words + At("text_encoder.position_embedding.weight")
                                .narrow(0, 0, batch.ids.size(1));
  for (int64_t i = 0; i < config_.text.num_layers; ++i) {
    x = EncoderLayer(x, mask,
                     "text_encoder.encoder.layers." + std::to_string(i));
  }
  x = LayerNorm(x, "text_encoder.encoder.norm");
  const torch::Tensor live = mask.squeeze(1).transpose(1, 2).eq(0);
  const torch::Tensor count = live.sum(1);
  return {
      x,
      torch::cat(
          {(x * live).sum(1) / count, (words * live).sum(1) / count.sqrt()}, 1),
      mask};
}

torch::Tensor PlainGenerator::Condition(const torch::Tensor& time,
                                        const Text& text) const {
  const std::string name = "unet.time_embedding.";
  const int64_t frequencies = At(name + "linear1.weight").size(1);
  const torch::Tensor embedded = Linear(
      torch::silu(Linear(nn::SinusoidalEncoding(time * 1000, frequencies),
                         name + "linear1")),
      name + "linear2");
  return torch::silu(embedded +
                     config_.unet.text_gain *
                         Linear(text.pooled, "unet.text_projection"));
}

// [n, channels, h, w], as `map` is.
torch::Tensor PlainGenerator::Layout(const torch::Tensor& condition,
                                     const torch::Tensor& map) const {
  return Linear(condition, "unet.layout")
      .view({map.size(0), map.size(2), map.size(3), map.size(1)})
      .permute({0, 3, 1, 2});
}

torch::Tensor PlainGenerator::Block(const torch::Tensor& x,
                                    const torch::Tensor& condition,
                                    const std::string& name) const {
  torch::Tensor branch =
      Conv(torch::silu(GroupNorm(x, name + ".norm1")), name + ".conv1");
  const torch::Tensor film =
      Linear(condition, name + ".time").unsqueeze(-1).unsqueeze(-1);
  const std::vector<torch::Tensor> parts = film.chunk(2, 1);
  branch = GroupNorm(branch, name + ".norm2") * (1 + parts[0]) + parts[1];
  branch = Conv(torch::silu(branch), name + ".conv2");
  return branch +
         (At(name + ".skip.weight").defined() ? Conv(x, name + ".skip") : x);
}

torch::Tensor PlainGenerator::Spatial(const torch::Tensor& x,
                                      const std::string& name) const {
  const int64_t heads = config_.unet.num_heads;
  const std::vector<torch::Tensor> parts =
      Conv(x, name + ".to_qkv").chunk(3, 1);
  const torch::Tensor attended =
      PlainAttention(SplitMap(parts[0], heads), SplitMap(parts[1], heads),
                     SplitMap(parts[2], heads));
  return Conv(attended.transpose(2, 3).reshape(parts[0].sizes()),
              name + ".to_out");
}

torch::Tensor PlainGenerator::Cross(const torch::Tensor& x, const Text& text,
                                    const std::string& name) const {
  const int64_t heads = config_.unet.num_heads;
  const torch::Tensor query = Conv(x, name + ".to_q");
  const torch::Tensor attended = PlainAttention(
      SplitMap(query, heads),
      SplitHeads(Linear(text.tokens, name + ".to_k"), heads),
      SplitHeads(Linear(text.tokens, name + ".to_v"), heads), text.mask);
  return Conv(attended.transpose(2, 3).reshape(query.sizes()),
              name + ".to_out");
}

torch::Tensor PlainGenerator::MapAttention(torch::Tensor x, const Text& text,
                                           const std::string& name) const {
  if (!At(name + ".norm1.weight").defined()) return x;  // a level without
  x = x + Spatial(GroupNorm(x, name + ".norm1"), name + ".spatial");
  return x + Cross(GroupNorm(x, name + ".norm2"), text, name + ".cross");
}

torch::Tensor PlainGenerator::Forward(const torch::Tensor& x,
                                      const torch::Tensor& time,
                                      const TokenBatch& batch) {
  const UNetConfig& config = config_.unet;
  const auto levels = static_cast<int64_t>(config.block_channels.size());
  const Text text = Encode(batch);
  const torch::Tensor condition = Condition(time, text);
  std::vector<torch::Tensor> outputs;
  torch::Tensor map =
      Conv(torch::pixel_unshuffle(x, config.patch), "unet.conv_in");
  for (int64_t level = 0; level < levels; ++level) {
    const std::string name = "unet.down." + std::to_string(level);
    map =
        map + (level + 1 < levels ? At("unet.position_" + std::to_string(level))
                                  : Layout(condition, map));
    for (int64_t i = 0; i < config.blocks[level]; ++i) {
      map = Block(map, condition, name + ".blocks." + std::to_string(i));
      if (i + 1 == config.blocks[level]) {
        map = MapAttention(map, text, name + ".attention");
      }
      outputs.push_back(map);
    }
    if (level + 1 < levels) {
      map = Conv(map, "unet.down_convs." + std::to_string(level), 2);
    }
  }
  map = Block(map, condition, "unet.mid1");
  map = MapAttention(map, text, "unet.mid_attention");
  map = Block(map, condition, "unet.mid2");
  for (int64_t level = 0; level < levels; ++level) {
    const std::string name = "unet.up." + std::to_string(level);
    for (int64_t i = 0; i < config.blocks[levels - 1 - level]; ++i) {
      map = torch::cat({map, outputs.back()}, 1);
      outputs.pop_back();
      map = Block(map, condition, name + ".blocks." + std::to_string(i));
    }
    map = MapAttention(map, text, name + ".attention");
    if (level + 1 < levels) {
      map = Conv(map, "unet.up_convs." + std::to_string(level));
      map = torch::upsample_nearest2d(map, {2 * map.size(2), 2 * map.size(3)});
    }
  }
  map = Conv(torch::silu(GroupNorm(map, "unet.norm_out")), "unet.conv_out");
  return torch::pixel_shuffle(map, config.patch);
}

}  // namespace keylens::generator
