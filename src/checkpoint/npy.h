#ifndef KEYLENS_SRC_CHECKPOINT_NPY_H_
#define KEYLENS_SRC_CHECKPOINT_NPY_H_

#include <cstdint>
#include <filesystem>
#include <span>

namespace keylens {

// Writes a float32 array, row-major, in NumPy's format 1.0, atomically.
void WriteNpy(const std::filesystem::path& path, std::span<const int64_t> shape,
              std::span<const float> values);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_NPY_H_
