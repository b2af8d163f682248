#include "systems/generator/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/available_memory.h"
#include "src/base/error.h"
#include "src/nn/torch_pool.h"
#include "src/parallel/cores.h"
#include "src/parallel/thread_pool.h"
#include "systems/generator/draw_loop.h"
#include "systems/generator/guidance.h"
#include "systems/generator/model/model_folder.h"
#include "systems/generator/model/unet_denoiser.h"

namespace keylens::generator {
namespace {

// Enough pictures for every thread to have a pass to run, and one more, so that
// none waits while a step is taken; but not where their maps are to be held.
std::size_t SideBySide(std::span<const DrawRequest> requests,
                       const DrawSettings& settings) {
  const int passes = NeedsUnconditional(settings.guidance) ? 2 : 1;
  const auto busy =
      static_cast<std::size_t>((settings.threads + passes - 1) / passes);
  const bool maps = std::ranges::any_of(requests, &DrawRequest::maps);
  return std::min(requests.size(), maps ? busy : busy + 1);
}

void CheckSide(const char* name, int size, int multiple) {
  if (size >= multiple && size % multiple == 0) return;
  throw UsageError(fmt::format("{} {}: must be a multiple of {}, from {} on",
                               name, size, multiple, multiple));
}

void CheckNumbers(const DrawSettings& settings) {
  if (settings.steps < 1) {
    throw UsageError(
        fmt::format("steps {}: must be 1 or more", settings.steps));
  }
  if (!std::isfinite(settings.guidance) || std::abs(settings.guidance) > 100) {
    throw UsageError(fmt::format("guidance {}: must be from -100 to 100",
                                 settings.guidance));
  }
}

double Gigabytes(double bytes) { return bytes / (1 << 30); }

}  // namespace

Pipeline Pipeline::Load(const std::filesystem::path& model_folder) {
  ModelFolder loaded = ReadModelFolder(model_folder);
  const GeneratorConfig& config = loaded.model->config();
  return {
      std::make_unique<TextEncoderReader>(
          loaded.model->text_encoder,
          std::make_shared<SentencePieceTokenizer>(std::move(loaded.tokenizer)),
          config.text.max_tokens),
      std::make_unique<UNetDenoiser>(loaded.model->unet, config.unet),
      std::make_unique<PixelDecoder>(config.unet), loaded.scheduler,
      model_folder.string()};
}

Pipeline::Pipeline(std::unique_ptr<PromptReader> reader,
                   std::unique_ptr<Denoiser> denoiser,
                   std::unique_ptr<PictureDecoder> decoder,
                   SchedulerOptions options, std::string name)
    : reader_(std::move(reader)),
      denoiser_(std::move(denoiser)),
      decoder_(std::move(decoder)),
      scheduler_options_(std::move(options)),
      name_(std::move(name)) {}

std::size_t Pipeline::Draw(std::span<const DrawRequest> requests,
                           const DrawSettings& settings,
                           const DrawingSink& sink,
                           const DrawControl& control) const {
  const DrawSettings checked = Checked(settings);
  const std::size_t side_by_side = SideBySide(requests, checked);
  CheckMemory(checked, side_by_side);
  const DrawEnds ends = {
      [&](std::size_t index) { return Begin(requests[index], checked); },
      [&](DrawingInProgress progress) {
        return Finish(std::move(progress), checked);
      }};
  const auto steps = static_cast<int64_t>(
      checked.scheduler->make(scheduler_options_, checked.steps)
          ->timesteps()
          .size());
  DrawLoop loop(requests.size(), side_by_side,
                steps * static_cast<int64_t>(requests.size()), ends, sink,
                control);
  // A forward pass is the work of one thread, the caller's among them.
  const nn::OneTorchThread one_thread;
  ThreadPool pool(checked.threads, {.on_start = nn::UseOneTorchThread});
  pool.Run(checked.threads, 0, [&](int64_t, int) {
    const torch::NoGradGuard no_grad;
    loop.Work();
  });
  return loop.drawn();
}

DrawingInProgress Pipeline::Begin(const DrawRequest& request,
                                  const DrawSettings& settings) const {
  DrawingInProgress progress;
  Drawing& drawing = progress.drawing;
  drawing.prompt = reader_->Tokenize(request.prompt);
  drawing.negative = reader_->Tokenize(request.negative);
  SampleJob job;
  job.conditioning = {reader_->Encode(drawing.prompt),
                      reader_->Encode(drawing.negative)};
  job.guidance = settings.guidance;
  job.seed = request.seed;
  job.shape = decoder_->DenoisedShape(settings.width, settings.height);
  job.scheduler = settings.scheduler->make(scheduler_options_, settings.steps);
  if (request.maps) {
    progress.maps = std::make_unique<CrossAttentionMaps>(
        static_cast<int64_t>(job.scheduler->timesteps().size()));
    job.maps = progress.maps.get();
  }
  progress.sampling =
      std::make_unique<Sampling>(*denoiser_, std::move(job), name_);
  return progress;
}

Drawing Pipeline::Finish(DrawingInProgress progress,
                         const DrawSettings& settings) const {
  Drawing drawing = std::move(progress.drawing);
  drawing.picture = decoder_->Decode(progress.sampling->x());
  if (progress.maps) {
    drawing.maps = MakePromptMaps(drawing.prompt, *progress.maps,
                                  settings.width, settings.height);
  }
  return drawing;
}

DrawSettings Pipeline::Checked(const DrawSettings& settings) const {
  DrawSettings checked = settings;
  if (checked.width == 0) checked.width = decoder_->default_size();
  if (checked.height == 0) checked.height = decoder_->default_size();
  CheckSide("width", checked.width, decoder_->size_multiple());
  CheckSide("height", checked.height, decoder_->size_multiple());
  CheckNumbers(checked);
  if (checked.scheduler == nullptr)
    checked.scheduler = &SchedulerOf(scheduler_options_);
  if (checked.threads <= 0) checked.threads = AvailableCores();
  return checked;
}

// Better a word now than the end of the process, by the system, in a minute.
void Pipeline::CheckMemory(const DrawSettings& settings,
                           std::size_t side_by_side) const {
  const double pass = denoiser_->BytesOfPass(
      decoder_->DenoisedShape(settings.width, settings.height));
  const int passes = NeedsUnconditional(settings.guidance) ? 2 : 1;
  const double needed = pass * std::min(static_cast<double>(settings.threads),
                                        static_cast<double>(passes) *
                                            static_cast<double>(side_by_side));
  const double there = AvailableMemory();
  if (needed <= there) return;
  throw UsageError(fmt::format(
      "size {}x{}: drawing it takes about {:.1f} GB of memory, and {:.1f} are "
      "free; take a smaller size, or fewer --threads",
      settings.width, settings.height, Gigabytes(needed), Gigabytes(there)));
}

std::vector<Drawing> DrawAll(const Pipeline& pipeline,
                             std::span<const DrawRequest> requests,
                             const DrawSettings& settings) {
  std::vector<Drawing> drawings(requests.size());
  pipeline.Draw(requests, settings, [&](std::size_t index, Drawing&& drawing) {
    drawings[index] = std::move(drawing);
  });
  return drawings;
}

}  // namespace keylens::generator
