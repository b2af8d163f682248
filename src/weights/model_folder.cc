#include "src/weights/model_folder.h"

#include <string>

#include "src/base/error.h"
#include "src/weights/shards.h"

namespace keylens {

namespace fs = std::filesystem;

void CheckModelFolder(const fs::path& folder, const char* marker) {
  if (!fs::is_directory(folder))
    throw Error(folder.string() + ": no such model folder");
  if (!fs::exists(folder / marker)) {
    throw Error(folder.string() + ": is no model folder (" + marker +
                " is missing)");
  }
}

std::shared_ptr<const WeightSource> OpenWeights(const fs::path& file) {
  constexpr const char* kIndexEnd = ".index.json";
  if (file.filename().string().ends_with(kIndexEnd)) return OpenShards(file);
  const fs::path index = file.string() + kIndexEnd;
  if (!fs::exists(file) && fs::exists(index)) return OpenShards(index);
  return OpenSafetensors(file);
}

}  // namespace keylens
