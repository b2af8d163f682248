// Any bytes as each of the config files of the generator and the classifier.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "src/base/error.h"
#include "src/models/keylens_unet/config.h"
#include "src/models/vit/config.h"
#include "tests/fuzz/scratch_file.h"

namespace {

template <typename Read>
void ReadOrRefuse(const Read& read) {
  try {
    read();
  } catch (const keylens::Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace generator = keylens::generator;
  const auto path = keylens::ScratchFile(
      "config.json", {reinterpret_cast<const char*>(data), size});
  ReadOrRefuse([&] { generator::ReadTextEncoderConfig(path); });
  ReadOrRefuse([&] { generator::ReadUNetConfig(path); });
  ReadOrRefuse([&] { generator::ReadSchedulerConfig(path); });
  ReadOrRefuse([&] { keylens::classifier::ReadClassifierConfig(path); });
  return 0;
}
