#include "src/models/keylens_unet/model.h"

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/memory.h>

namespace keylens::generator {

GeneratorModelImpl::GeneratorModelImpl(const GeneratorConfig& config)
    : config_(config) {
  text_encoder = register_module("text_encoder", TextEncoder(config.text));
  unet = register_module("unet", UNet(config.unet));
  nn::ToChannelsLast(*this);
  nn::NameAttentionLayers(*this);
}

}  // namespace keylens::generator
