#include "systems/generator/training/sample_grid.h"

#include "src/image/image.h"
#include "src/parallel/cores.h"
#include "src/render/sheets/contact_sheet.h"
#include "systems/generator/model/unet_denoiser.h"
#include "systems/generator/prompt.h"
#include "systems/generator/sampler.h"
#include "systems/generator/stages.h"

namespace keylens::generator {
namespace {

EncodedText Encode(GeneratorModelImpl& model, const Tokenizer& tokenizer,
                   const std::string& text) {
  const TokenizedPrompt prompt =
      TokenizePrompt(tokenizer, text, model.config().text.max_tokens);
  return model.text_encoder->forward(
      MakeTokenBatch({&prompt, 1}, tokenizer.pad_id()));
}

}  // namespace

void WriteSampleGrid(GeneratorModelImpl& model, const Tokenizer& tokenizer,
                     const std::vector<std::string>& prompts,
                     const std::filesystem::path& path) {
  if (prompts.empty()) return;
  const torch::NoGradGuard no_grad;
  const UNetConfig& config = model.config().unet;
  const EncodedText negative = Encode(model, tokenizer, "");
  std::vector<SampleJob> jobs;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    jobs.push_back({Encode(model, tokenizer, prompts[i]), negative,
                    SeededNoise(i, config.channels, config.sample_size,
                                config.sample_size)});
  }
  train::Workers workers(AvailableCores());
  UNetDenoiser denoiser(model.unet);
  const PixelDecoder decoder(config);
  std::vector<Image> images;
  for (const torch::Tensor& sample :
       DrawSamples(denoiser, NoiseProcess(model.config().scheduler.prediction),
                   jobs, SamplerOptions{}, workers)) {
    images.push_back(decoder.Decode(sample));
  }
  WritePng(path, DrawContactSheet(images, prompts));
}

}  // namespace keylens::generator
