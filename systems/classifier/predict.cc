#include "systems/classifier/predict.h"

#include <algorithm>

namespace keylens::classifier {
namespace {

// What runs through the network at once: its maps stay in the caches.
constexpr std::size_t kBatch = 64;

torch::Tensor MeanOfViews(ClassifierModelImpl& model,
                          const torch::Tensor& pictures) {
  constexpr int64_t kColumns = 3;  // of [n, channels, rows, columns]
  const torch::Tensor probabilities = model.forward(pictures).softmax(1);
  if (model.config().num_views == 1) return probabilities;
  return (probabilities + model.forward(pictures.flip(kColumns)).softmax(1)) /
         2;
}

}  // namespace

Normalisation NormalisationOf(const ClassifierConfig& config) {
  return {static_cast<float>(config.image_mean),
          static_cast<float>(config.image_std)};
}

std::span<float> RowOf(torch::Tensor& batch, int64_t row) {
  const int64_t size = batch.stride(0);
  return {batch.data_ptr<float>() + row * size, static_cast<std::size_t>(size)};
}

torch::Tensor PictureBatch(std::span<const Image> pictures,
                           const ClassifierConfig& config) {
  torch::Tensor batch =
      torch::empty({static_cast<int64_t>(pictures.size()), config.num_channels,
                    config.image_size, config.image_size});
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    WritePlanes(pictures[i], NormalisationOf(config),
                RowOf(batch, static_cast<int64_t>(i)));
  }
  return batch;
}

std::vector<std::vector<float>> Probabilities(ClassifierModelImpl& model,
                                              std::span<const Image> pictures) {
  const torch::NoGradGuard no_grad;
  std::vector<std::vector<float>> result;
  for (std::size_t first = 0; first < pictures.size(); first += kBatch) {
    const auto part =
        pictures.subspan(first, std::min(kBatch, pictures.size() - first));
    const torch::Tensor probabilities =
        MeanOfViews(model, PictureBatch(part, model.config()));
    const float* row = probabilities.data_ptr<float>();
    for (std::size_t i = 0; i < part.size(); ++i) {
      result.emplace_back(row, row + probabilities.size(1));
      row += probabilities.size(1);
    }
  }
  return result;
}

int32_t BestClass(std::span<const float> probabilities) {
  return static_cast<int32_t>(std::ranges::max_element(probabilities) -
                              probabilities.begin());
}

}  // namespace keylens::classifier
