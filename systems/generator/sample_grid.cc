#include "systems/generator/sample_grid.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "src/image/image.h"
#include "systems/generator/pixels.h"
#include "systems/generator/prompt.h"
#include "systems/generator/sampler.h"
#include "systems/generator/unet_denoiser.h"

namespace keylens::generator {
namespace {

EncodedText Encode(GeneratorModelImpl& model, const Tokenizer& tokenizer,
                   const std::string& text) {
  const TokenizedPrompt prompt =
      TokenizePrompt(tokenizer, text, model.config().text.max_tokens);
  return model.text_encoder->forward(
      MakeTokenBatch({&prompt, 1}, tokenizer.pad_id()));
}

Image ToImage(const torch::Tensor& sample) {
  return FromNetworkColours(
      {sample.data_ptr<float>(), static_cast<std::size_t>(sample.numel())},
      static_cast<int>(sample.size(3)), static_cast<int>(sample.size(2)));
}

// Pictures of one size in rows of `columns`, with a white edge of 2 pixels.
Image Tiled(const std::vector<Image>& images, int columns) {
  constexpr int kEdge = 2;
  const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
  const int cell_width = images[0].width + kEdge;
  const int cell_height = images[0].height + kEdge;
  Image sheet{columns * cell_width + kEdge, rows * cell_height + kEdge, 3, {}};
  sheet.pixels.assign(3 * static_cast<std::size_t>(sheet.width) * sheet.height,
                      255);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const int left = kEdge + static_cast<int>(i) % columns * cell_width;
    const int top = kEdge + static_cast<int>(i) / columns * cell_height;
    const Image image = OverWhite(images[i]);
    for (int y = 0; y < image.height; ++y) {
      std::copy_n(
          &image.pixels[3 * static_cast<std::size_t>(y) * image.width],
          3 * image.width,
          &sheet.pixels[3 * (static_cast<std::size_t>(top + y) * sheet.width +
                             left)]);
    }
  }
  return sheet;
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
  train::Workers workers(
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  UNetDenoiser denoiser(model.unet);
  std::vector<Image> images;
  for (const torch::Tensor& sample :
       DrawSamples(denoiser, NoiseProcess(model.config().scheduler.prediction),
                   jobs, SamplerOptions{}, workers)) {
    images.push_back(ToImage(sample));
  }
  WritePng(path, Tiled(images,
                       static_cast<int>(std::ceil(std::sqrt(images.size())))));
}

}  // namespace keylens::generator
