#include "src/models/vit/tensors.h"

#include "src/weights/tensor_list.h"

namespace keylens::classifier {

std::vector<TensorSpec> TensorsOf(const ClassifierConfig& config) {
  const int64_t patches = PatchesPerSide(config) * PatchesPerSide(config);
  TensorList list;
  list.Add("cls_token", {1, 1, config.hidden_size});
  list.Add("position_embeddings", {1, 1 + patches, config.hidden_size});
  list.Conv2d("patch_embeddings", config.num_channels, config.hidden_size,
              config.patch_size);
  list.EncoderStack("encoder", config.num_hidden_layers, config.hidden_size,
                    config.intermediate_size);
  list.Linear("classifier", config.hidden_size,
              static_cast<int64_t>(config.labels.size()));
  return list.Take();
}

}  // namespace keylens::classifier
