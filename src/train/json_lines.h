#ifndef KEYLENS_SRC_TRAIN_JSON_LINES_H_
#define KEYLENS_SRC_TRAIN_JSON_LINES_H_

#include <cstdint>
#include <filesystem>

namespace keylens::train {

// Keeps the lines of `path`, JSON objects with a member "step", up to
// `last_step`, and drops those that a lost sitting wrote after it, or that a
// crash cut short; all, where the run is at its beginning (0). Where there is
// no such file, there is an empty one then. Throws Error where it cannot be
// written.
void KeepLinesUpTo(const std::filesystem::path& path, int64_t last_step);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_JSON_LINES_H_
