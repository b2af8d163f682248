#include "systems/classifier/training/picture_batch.h"

#include "systems/classifier/picture_planes.h"

namespace keylens::classifier {

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

}  // namespace keylens::classifier
