#include "systems/generator/looking/cross_attention_maps.h"

#include <algorithm>
#include <string_view>

namespace keylens::generator {
namespace {

constexpr std::string_view kLayerSuffix = ".cross";

}  // namespace

bool CrossAttentionMaps::Wants(const std::string& layer) const {
  return layer.ends_with(kLayerSuffix);
}

void CrossAttentionMaps::Record(const std::string& layer,
                                const torch::Tensor& weights) {
  auto found = std::ranges::find(layers_, layer, &Layer::name);
  if (found == layers_.end()) {
    const torch::Tensor all = torch::zeros(
        {steps_, weights.size(1), weights.size(2), weights.size(3)});
    found = layers_.insert(layers_.end(), {layer, all});
  }
  found->weights[step_].copy_(weights[0]);
}

}  // namespace keylens::generator
