#ifndef KEYLENS_TESTS_FUZZ_SCRATCH_FILE_H_
#define KEYLENS_TESTS_FUZZ_SCRATCH_FILE_H_

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace keylens {

// A folder of this process, in memory where there is such a place, for readers
// that take a path. It is removed when the process ends.
inline const std::filesystem::path& ScratchFolder() {
  struct Folder {
    Folder() {
      const std::filesystem::path memory = "/dev/shm";
      const bool has_memory = access(memory.c_str(), W_OK) == 0;
      path = has_memory ? memory : std::filesystem::temp_directory_path();
      path /= "keylens_fuzz." + std::to_string(getpid());
      std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
  };
  static const Folder folder;
  return folder.path;
}

// The bytes as the file `name` of that folder.
inline std::filesystem::path ScratchFile(const std::string& name,
                                         std::string_view bytes) {
  const auto path = ScratchFolder() / name;
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_FUZZ_SCRATCH_FILE_H_
