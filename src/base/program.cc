#include "src/base/program.h"

#include <unistd.h>

#include <initializer_list>

namespace keylens {

namespace fs = std::filesystem;

fs::path ProgramFolder() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

std::optional<fs::path> FindProgram(const std::string& name) {
  const fs::path self = ProgramFolder();
  for (const fs::path& place :
       {self / name, self / KEYLENS_LIBEXEC_FOLDER / name}) {
    if (access(place.c_str(), X_OK) == 0) return place;
  }
  return std::nullopt;
}

}  // namespace keylens
