#ifndef KEYLENS_SYSTEMS_GENERATOR_STAGES_H_
#define KEYLENS_SYSTEMS_GENERATOR_STAGES_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/image/image.h"
#include "systems/generator/model/model_folder.h"
#include "systems/generator/prompt.h"
#include "systems/generator/sampler.h"

namespace keylens::generator {

// The three stages of a drawing besides the sampler, which a pipeline takes
// from whoever has them: a prompt is read, noise is denoised, a picture is
// decoded.

class PromptReader {
 public:
  virtual ~PromptReader() = default;
  // Cut to what the stage can read.
  virtual TokenizedPrompt Tokenize(std::string_view text) const = 0;
  virtual EncodedText Encode(const TokenizedPrompt& prompt) = 0;
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
  // denoised: [1, channels, rows, columns].
  virtual Image Decode(const torch::Tensor& denoised) const = 0;
};

// The text encoder of a model folder with its tokenizer.
class TextEncoderReader : public PromptReader {
 public:
  TextEncoderReader(TextEncoder encoder, Tokenizer tokenizer,
                    int64_t max_tokens);
  TokenizedPrompt Tokenize(std::string_view text) const override;
  EncodedText Encode(const TokenizedPrompt& prompt) override;

 private:
  TextEncoder encoder_;
  Tokenizer tokenizer_;
  int64_t max_tokens_;
};

// For a network that denoises pixels themselves, in the colours of pixels.h.
class PixelDecoder : public PictureDecoder {
 public:
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
