#include "systems/generator/default_model.h"

#include "src/base/error.h"

namespace keylens::generator {

namespace fs = std::filesystem;

fs::path DefaultModelFolder() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed =
      program.parent_path() / "share/keylens/models/emoji";
  if (fs::exists(installed)) return installed;
  for (fs::path folder = program; folder != folder.root_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "models/emoji/model_index.json")) {
      return folder / "models/emoji";
    }
  }
  throw Error(
      "the model that ships (models/emoji) is not found beside the program; "
      "name one by --model");
}

}  // namespace keylens::generator
