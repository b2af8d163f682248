// Any bytes as the index of a model's shards.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/weights/shards.h"
#include "tests/fuzz/read_or_refuse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  ReadOrRefuse([&] {
    const auto files = keylens::ParseShardIndex(
        {reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const auto& [name, file] : files) {
      // No name leads out of the folder.
      if (file.empty() || file.find('/') != std::string::npos || file == "..")
        std::abort();
    }
  });
  return 0;
}
