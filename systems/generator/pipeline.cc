#include "systems/generator/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>
#include <utility>

#include "src/base/error.h"
#include "systems/generator/model/unet_denoiser.h"

namespace keylens::generator {
namespace {

// So many pictures are drawn side by side: enough for every thread to have
// something to do, few enough for their maps to fit in memory.
constexpr std::size_t kPicturesPerThread = 4;

int ThreadCount(int asked) {
  if (asked > 0) return asked;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void CheckSide(const char* name, int size, int multiple) {
  if (size < multiple || size > kMaxSize || size % multiple != 0) {
    throw UsageError(
        fmt::format("{} {}: must be a multiple of {}, from {} to {}", name,
                    size, multiple, multiple, kMaxSize));
  }
}

void CheckSampler(const SamplerOptions& options) {
  if (options.steps < 1 || options.steps > kMaxSteps) {
    throw UsageError(fmt::format("steps {}: must be from 1 to {}",
                                 options.steps, kMaxSteps));
  }
  if (!std::isfinite(options.guidance) || std::abs(options.guidance) > 100) {
    throw UsageError(
        fmt::format("guidance {}: must be from -100 to 100", options.guidance));
  }
}

}  // namespace

Pipeline Pipeline::Load(const std::filesystem::path& model_folder) {
  ModelFolder loaded = ReadModelFolder(model_folder);
  const GeneratorConfig& config = loaded.model->config();
  return {std::make_unique<TextEncoderReader>(loaded.model->text_encoder,
                                              std::move(loaded.tokenizer),
                                              config.text.max_tokens),
          std::make_unique<UNetDenoiser>(loaded.model->unet),
          std::make_unique<PixelDecoder>(config.unet),
          NoiseProcess(config.scheduler.prediction)};
}

Pipeline::Pipeline(std::unique_ptr<PromptReader> reader,
                   std::unique_ptr<Denoiser> denoiser,
                   std::unique_ptr<PictureDecoder> decoder,
                   NoiseProcess process)
    : reader_(std::move(reader)),
      denoiser_(std::move(denoiser)),
      decoder_(std::move(decoder)),
      process_(process) {}

std::vector<Drawing> Pipeline::Draw(const std::vector<DrawRequest>& requests,
                                    const DrawSettings& settings,
                                    const DrawObserver& observer) {
  const DrawSettings checked = Checked(settings);
  train::Workers workers(checked.threads);
  const std::size_t chunk = kPicturesPerThread * checked.threads;
  const auto total =
      static_cast<int64_t>(requests.size()) * checked.sampler.steps;
  std::vector<Drawing> drawings;
  for (std::size_t first = 0; first < requests.size(); first += chunk) {
    const std::size_t count = std::min(chunk, requests.size() - first);
    const auto before = static_cast<int64_t>(first) * checked.sampler.steps;
    const auto observe = [&](int64_t steps) {
      if (observer)
        observer(before + steps * static_cast<int64_t>(count), total);
    };
    for (Drawing& drawing : DrawChunk(std::span(requests).subspan(first, count),
                                      checked, workers, observe)) {
      drawings.push_back(std::move(drawing));
    }
  }
  return drawings;
}

DrawSettings Pipeline::Checked(const DrawSettings& settings) const {
  DrawSettings checked = settings;
  if (checked.width == 0) checked.width = decoder_->default_size();
  if (checked.height == 0) checked.height = decoder_->default_size();
  CheckSide("width", checked.width, decoder_->size_multiple());
  CheckSide("height", checked.height, decoder_->size_multiple());
  CheckSampler(checked.sampler);
  checked.threads = ThreadCount(checked.threads);
  return checked;
}

std::vector<Drawing> Pipeline::DrawChunk(std::span<const DrawRequest> requests,
                                         const DrawSettings& settings,
                                         train::Workers& workers,
                                         const StepObserver& observer) {
  const auto [channels, rows, cols] =
      decoder_->DenoisedShape(settings.width, settings.height);
  std::vector<Drawing> drawings(requests.size());
  std::vector<CrossAttentionMaps> maps(requests.size());
  std::vector<SampleJob> jobs;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    drawings[i].prompt = reader_->Tokenize(requests[i].prompt);
    jobs.push_back({reader_->Encode(drawings[i].prompt),
                    reader_->Encode(reader_->Tokenize(requests[i].negative)),
                    SeededNoise(requests[i].seed, channels, rows, cols),
                    requests[i].maps ? &maps[i] : nullptr});
  }
  const std::vector<torch::Tensor> samples = DrawSamples(
      *denoiser_, process_, jobs, settings.sampler, workers, observer);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    drawings[i].picture = decoder_->Decode(samples[i]);
    if (requests[i].maps) {
      drawings[i].maps = MakePromptMaps(drawings[i].prompt, maps[i],
                                        settings.width, settings.height);
    }
  }
  return drawings;
}

}  // namespace keylens::generator
