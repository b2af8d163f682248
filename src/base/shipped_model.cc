#include "src/base/shipped_model.h"

#include <string>

#include "src/base/error.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

struct Row {
  const char* folder;
  const char* marker;  // a file by which the folder is known
};

// In the order of ShippedModel.
constexpr Row kShippedModels[] = {{"emoji", "model_index.json"},
                                  {"german-english", "config.json"},
                                  {"fashion", "config.json"}};

}  // namespace

fs::path ShippedModelFolder(ShippedModel model,
                            const fs::path& program_folder) {
  const Row& row = kShippedModels[static_cast<std::size_t>(model)];
  for (fs::path folder = program_folder; folder != folder.root_path();
       folder = folder.parent_path()) {
    for (const char* models : {"share/keylens/models", "models"}) {
      const fs::path found = folder / models / row.folder;
      if (fs::exists(found / row.marker)) return found;
    }
  }
  throw Error(std::string("the model that ships (models/") + row.folder +
              ") is not found beside the program; name one by --model");
}

}  // namespace keylens
