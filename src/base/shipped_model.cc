#include "src/base/shipped_model.h"

#include "src/base/error.h"

namespace keylens {

namespace fs = std::filesystem;

fs::path ShippedModelFolder(const std::string& name,
                            const std::string& config_file) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed =
      program.parent_path() / "share/keylens/models" / name;
  if (fs::exists(installed / config_file)) return installed;
  for (fs::path folder = program; folder != folder.root_path();
       folder = folder.parent_path()) {
    const fs::path built_in = folder / "models" / name;
    if (fs::exists(built_in / config_file)) return built_in;
  }
  throw Error("the model that ships (models/" + name +
              ") is not found beside the program; name one by --model");
}

}  // namespace keylens
