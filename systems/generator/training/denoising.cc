#include "systems/generator/training/denoising.h"

#include <algorithm>
#include <array>
#include <span>

#include "src/random/random.h"
#include "systems/generator/pixels.h"
#include "systems/generator/process.h"
#include "systems/generator/prompt.h"
#include "systems/generator/training/batch_row.h"

namespace keylens::generator {
namespace {

constexpr std::array<double, 7> kRatios = {0, 0.01, 0.03, 0.1, 0.3, 1, 3};
constexpr int64_t kBatch = 25;

struct Batch {
  torch::Tensor pictures, noise;  // [n, channels, size, size]
  TokenBatch text;
};

// `first` numbers the pictures, for their noise.
Batch MakeBatch(const ModelFolder& folder,
                std::span<const CaptionedPicture* const> pictures,
                int64_t first) {
  const GeneratorConfig& config = folder.model->config();
  const int64_t size = config.unet.sample_size;
  const auto n = static_cast<int64_t>(pictures.size());
  Batch batch;
  batch.pictures = torch::empty({n, config.unet.channels, size, size});
  batch.noise = torch::empty_like(batch.pictures);
  std::vector<TokenizedPrompt> prompts;
  for (int64_t row = 0; row < n; ++row) {
    const CaptionedPicture& picture = *pictures[static_cast<std::size_t>(row)];
    ToNetworkColours(picture.image, RowOf(batch.pictures, row));
    Random random({static_cast<uint64_t>(first + row)});
    random.FillNormal(RowOf(batch.noise, row));
    prompts.push_back(
        TokenizePrompt(folder.tokenizer, picture.text, config.text.max_tokens));
  }
  batch.text = MakeTokenBatch(prompts, folder.tokenizer.pad_id());
  return batch;
}

// Summed over the pictures of the batch.
double ErrorOf(GeneratorModelImpl& model, const Batch& batch, double ratio) {
  const NoiseProcess process(model.config().scheduler.prediction);
  const double time = process.TimeOf(ratio);
  const torch::Tensor times = torch::full({batch.pictures.size(0)}, time);
  const torch::Tensor x = process.Mix(batch.pictures, batch.noise, times);
  const torch::Tensor output =
      model.unet->forward(x, times, model.text_encoder->forward(batch.text));
  return (process.Picture(x, output, time) - batch.pictures)
      .square()
      .mean({1, 2, 3})
      .sum()
      .item<double>();
}

// For each ratio.
std::array<double, kRatios.size()> MeanErrors(
    ModelFolder& folder, std::span<const CaptionedPicture* const> pictures) {
  std::array<double, kRatios.size()> errors{};
  const auto n = static_cast<int64_t>(pictures.size());
  for (int64_t first = 0; first < n; first += kBatch) {
    const auto count = static_cast<std::size_t>(std::min(kBatch, n - first));
    const Batch batch = MakeBatch(
        folder, pictures.subspan(static_cast<std::size_t>(first), count),
        first);
    for (std::size_t i = 0; i < kRatios.size(); ++i)
      errors[i] += ErrorOf(*folder.model, batch, kRatios[i]);
  }
  for (double& error : errors) error /= static_cast<double>(n);
  return errors;
}

}  // namespace

std::vector<DenoisingError> DenoisingErrors(
    ModelFolder& model, const std::vector<CaptionedPicture>& pictures,
    int64_t stride) {
  const torch::NoGradGuard no_grad;
  std::vector<const CaptionedPicture*> train, held_out;
  int64_t index = 0;
  for (const CaptionedPicture& picture : pictures) {
    if (picture.held_out) held_out.push_back(&picture);
    if (!picture.held_out && index++ % stride == 0) train.push_back(&picture);
  }
  const auto of_train = MeanErrors(model, train);
  const auto of_held_out = MeanErrors(model, held_out);
  std::vector<DenoisingError> errors;
  for (std::size_t i = 0; i < kRatios.size(); ++i)
    errors.push_back({kRatios[i], of_train[i], of_held_out[i]});
  return errors;
}

}  // namespace keylens::generator
