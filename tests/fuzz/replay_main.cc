// Runs a fuzz target on files instead of on what libFuzzer makes up, so that
// any compiler can see past findings again: each argument is a file or a folder
// of files. A finding ends the process, as it does under libFuzzer; the file
// is named before it is run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <vector>

#include "src/base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// The files of a folder in the order of their names; a file is itself.
std::vector<fs::path> FilesOf(const fs::path& argument) {
  if (!fs::is_directory(argument)) return {argument};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(argument))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void Replay(const fs::path& file) {
  std::cerr << "Running: " << file.string() << std::endl;
  const std::string bytes = keylens::ReadFile(file);
  // A copy of exactly this size: AddressSanitizer then sees a read behind it,
  // where a string has its zero.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  try {
    for (int i = 1; i < argc; ++i) {
      for (const fs::path& file : FilesOf(argv[i])) {
        Replay(file);
        ++count;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  std::cout << "replayed " << count << " files\n";
  if (count == 0) std::cerr << "replay: no file to run\n";
  return count > 0 ? 0 : 1;
}
