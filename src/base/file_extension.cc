#include "src/base/file_extension.h"

#include <algorithm>
#include <cctype>

namespace keylens {

std::string ExtensionOf(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace keylens
