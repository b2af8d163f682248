#ifndef KEYLENS_SYSTEMS_GENERATOR_STAGES_H_
#define KEYLENS_SYSTEMS_GENERATOR_STAGES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "src/image/image.h"
#include "src/models/keylens_unet/config.h"
#include "src/models/keylens_unet/text_encoder.h"
#include "src/text/tokenizer.h"
#include "systems/generator/conditioning.h"
#include "systems/generator/prompt.h"

namespace keylens::generator {

// The stages of a drawing before and after the denoiser, which a pipeline takes
// from whoever has them: a prompt is read, a picture is decoded. Called by
// several threads at once.

class PromptReader {
 public:
  virtual ~PromptReader() = default;
  // Cut to what the stage can read.
  virtual TokenizedPrompt Tokenize(std::string_view text) const = 0;
  virtual Conditioning Encode(const TokenizedPrompt& prompt) const = 0;
};

class PictureDecoder {
 public:
  virtual ~PictureDecoder() = default;
  // Width and height must be multiples of this many pixels; `default_size` is
  // what the model was trained on.
  virtual int size_multiple() const = 0;
  virtual int default_size() const = 0;
  // Channels, rows and columns of what is denoised for a picture.
  virtual std::array<int64_t, 3> DenoisedShape(int width, int height) const = 0;
  // denoised: [1, channels, rows, columns], of any values: what is beyond the
  // range of a picture is clipped here, and nowhere before.
  virtual Image Decode(const torch::Tensor& denoised) const = 0;
};

// The text encoder of a model folder with its tokenizer.
class TextEncoderReader : public PromptReader {
 public:
  TextEncoderReader(TextEncoder encoder,
                    std::shared_ptr<const Tokenizer> tokenizer,
                    int64_t max_tokens);
  TokenizedPrompt Tokenize(std::string_view text) const override;
  Conditioning Encode(const TokenizedPrompt& prompt) const override;

 private:
  std::shared_ptr<TextEncoderImpl> encoder_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  int64_t max_tokens_;
};

// For a network that denoises pixels themselves, in the colours of pixels.h.
class PixelDecoder : public PictureDecoder {
 public:
  // Throws Error where the network's channels are no colours.
  explicit PixelDecoder(const UNetConfig& config);
  int size_multiple() const override;
  int default_size() const override;
  std::array<int64_t, 3> DenoisedShape(int width, int height) const override;
  Image Decode(const torch::Tensor& denoised) const override;

 private:
  UNetConfig config_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_STAGES_H_
