#include "systems/generator/training/sample_grid.h"

#include <memory>

#include "src/image/image.h"
#include "src/render/sheets/contact_sheet.h"
#include "systems/generator/model/unet_denoiser.h"
#include "systems/generator/pipeline.h"

namespace keylens::generator {
namespace {

// The networks as they are, while they are trained; nothing is copied.
Pipeline PipelineOf(GeneratorModelImpl& model, const Tokenizer& tokenizer) {
  const GeneratorConfig& config = model.config();
  const std::shared_ptr<const Tokenizer> not_owned(std::shared_ptr<void>(),
                                                   &tokenizer);
  return {std::make_unique<TextEncoderReader>(model.text_encoder, not_owned,
                                              config.text.max_tokens),
          std::make_unique<UNetDenoiser>(model.unet, config.unet),
          std::make_unique<PixelDecoder>(config.unet),
          KeylensSchedulerOptions(config.scheduler.prediction), "samples"};
}

}  // namespace

void WriteSampleGrid(GeneratorModelImpl& model, const Tokenizer& tokenizer,
                     const std::vector<std::string>& prompts,
                     const std::filesystem::path& path) {
  if (prompts.empty()) return;
  std::vector<DrawRequest> requests;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    requests.push_back({.prompt = prompts[i], .seed = i});
  std::vector<Image> images;
  for (Drawing& drawing :
       DrawAll(PipelineOf(model, tokenizer), requests, DrawSettings{}))
    images.push_back(std::move(drawing.picture));
  WritePng(path, DrawContactSheet(images, prompts));
}

}  // namespace keylens::generator
