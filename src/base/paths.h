#ifndef KEYLENS_SRC_BASE_PATHS_H_
#define KEYLENS_SRC_BASE_PATHS_H_

#include <filesystem>

namespace keylens {

// Whether `path` is `folder` or would lie somewhere below it, whatever they are
// called: links and dots are followed, and neither has to exist.
bool LiesWithin(const std::filesystem::path& path,
                const std::filesystem::path& folder);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_PATHS_H_
