#include "src/base/shipped_model.h"

#include "src/base/error.h"
#include "src/base/program.h"

namespace keylens {

namespace fs = std::filesystem;

fs::path ShippedModelFolder(const std::string& name,
                            const std::string& config_file) {
  for (fs::path folder = ProgramFolder(); folder != folder.root_path();
       folder = folder.parent_path()) {
    for (const char* models : {"share/keylens/models", "models"}) {
      const fs::path model = folder / models / name;
      if (fs::exists(model / config_file)) return model;
    }
  }
  throw Error("the model that ships (models/" + name +
              ") is not found beside the program; name one by --model");
}

}  // namespace keylens
