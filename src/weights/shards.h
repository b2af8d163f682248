#ifndef KEYLENS_SRC_WEIGHTS_SHARDS_H_
#define KEYLENS_SRC_WEIGHTS_SHARDS_H_

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "src/weights/weight_source.h"

namespace keylens {

// What a model.safetensors.index.json says: the file that holds each weight, by
// the weight's name. `file` starts error lines.
//
// Throws Error unless the text is JSON with a "weight_map" of names to names of
// files, no name twice, and every file is one beside the index: no folders, for
// a path that leaves the folder could name any file of the machine. Any bytes
// are safe to pass.
std::map<std::string, std::string, std::less<>> ParseShardIndex(
    std::string_view json, const std::string& file);

// The weights of all shards that an index lists, each mapped. Throws one Error
// that names every weight that is not where the index says it is, and every one
// that two shards hold; a shard that is missing is named with the weights that
// would be in it.
std::shared_ptr<const WeightSource> OpenShards(
    const std::filesystem::path& index);

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_SHARDS_H_
