#include "systems/generator/stages.h"

#include <fmt/format.h>

#include <utility>

#include "src/base/error.h"
#include "systems/generator/pixels.h"

namespace keylens::generator {

TextEncoderReader::TextEncoderReader(TextEncoder encoder,
                                     std::shared_ptr<const Tokenizer> tokenizer,
                                     int64_t max_tokens)
    : encoder_(encoder.ptr()),
      tokenizer_(std::move(tokenizer)),
      max_tokens_(max_tokens) {}

TokenizedPrompt TextEncoderReader::Tokenize(std::string_view text) const {
  return TokenizePrompt(*tokenizer_, text, max_tokens_);
}

Conditioning TextEncoderReader::Encode(const TokenizedPrompt& prompt) const {
  const torch::NoGradGuard no_grad;
  const EncodedText text =
      encoder_->forward(MakeTokenBatch({&prompt, 1}, tokenizer_->pad_id()));
  return {text.tokens, text.lengths, text.pooled, std::nullopt};
}

PixelDecoder::PixelDecoder(const UNetConfig& config) : config_(config) {
  if (config.channels != kPixelChannels) {
    throw Error(
        fmt::format("unet/config.json: {} channels: pixels have {} (red, "
                    "green, blue, alpha), and no other decoder is there",
                    config.channels, kPixelChannels));
  }
}

int PixelDecoder::size_multiple() const {
  return static_cast<int>(SizeMultiple(config_));
}

int PixelDecoder::default_size() const {
  return static_cast<int>(config_.sample_size);
}

std::array<int64_t, 3> PixelDecoder::DenoisedShape(int width,
                                                   int height) const {
  return {config_.channels, height, width};
}

Image PixelDecoder::Decode(const torch::Tensor& denoised) const {
  const torch::Tensor planes = denoised.contiguous();
  return FromNetworkColours(
      {planes.data_ptr<float>(), static_cast<std::size_t>(planes.numel())},
      static_cast<int>(planes.size(3)), static_cast<int>(planes.size(2)));
}

}  // namespace keylens::generator
