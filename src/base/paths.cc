#include "src/base/paths.h"

#include <algorithm>

namespace keylens {
namespace {

namespace fs = std::filesystem;

// Without the empty part that a closing slash makes.
fs::path Real(const fs::path& path) {
  const fs::path real = fs::weakly_canonical(fs::absolute(path));
  return real.has_filename() ? real : real.parent_path();
}

// Another name of the same folder that no link shows: a bind mount, a file
// system that ignores case.
bool IsSame(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

}  // namespace

bool LiesWithin(const fs::path& path, const fs::path& folder) {
  const fs::path outer = Real(folder);
  fs::path inner = Real(path);
  while (!IsSame(inner, outer)) {
    if (!inner.has_relative_path()) return false;
    inner = inner.parent_path();
  }
  return true;
}

}  // namespace keylens
