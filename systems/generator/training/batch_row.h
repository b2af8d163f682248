#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_BATCH_ROW_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_BATCH_ROW_H_

#include <torch/torch.h>

#include <cstdint>
#include <span>

namespace keylens::generator {

// The floats of one entry of a dense batch [n, ...].
inline std::span<float> RowOf(torch::Tensor& batch, int64_t row) {
  const int64_t size = batch.numel() / batch.size(0);
  return {batch.data_ptr<float>() + row * size, static_cast<std::size_t>(size)};
}

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_BATCH_ROW_H_
