#ifndef KEYLENS_SRC_WEIGHTS_MODEL_FOLDER_H_
#define KEYLENS_SRC_WEIGHTS_MODEL_FOLDER_H_

#include <filesystem>
#include <memory>

#include "src/weights/weight_source.h"

namespace keylens {

// Throws Error, naming the folder, unless it is there and has the file
// `marker` ("config.json"), by which a model is known.
void CheckModelFolder(const std::filesystem::path& folder, const char* marker);

// The weights of a model: `file` ("FOLDER/model.safetensors") or, where only
// "FOLDER/model.safetensors.index.json" is there, the shards that it lists; an
// index can be named as well.
// Throws Error as OpenSafetensors and OpenShards do.
std::shared_ptr<const WeightSource> OpenWeights(
    const std::filesystem::path& file);

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_MODEL_FOLDER_H_
