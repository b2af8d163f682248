// Any bytes as the config of a model folder whose weights are another file's,
// for every model that there is: what is wrong is said, and nothing is thrown.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/models/registry.h"

namespace {

namespace fs = std::filesystem;

// One folder for the whole run, in memory where there is such a place.
const fs::path& Folder() {
  static const fs::path folder = [] {
    const fs::path shared = "/dev/shm";
    const fs::path root =
        fs::is_directory(shared) ? shared : fs::temp_directory_path();
    fs::path made = root / ("keylens-fuzz-" + std::to_string(getpid()));
    for (const char* part : {"text_encoder", "unet", "tokenizer", "scheduler"})
      keylens::MakeFolder(made / part);
    for (const char* file :
         {"model.safetensors", "text_encoder/model.safetensors",
          "unet/diffusion_pytorch_model.safetensors"})
      keylens::WriteSafetensors(made / file, {});
    std::atexit([] { fs::remove_all(Folder()); });
    return made;
  }();
  return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* file :
       {"config.json", "model_index.json", "text_encoder/config.json",
        "unet/config.json", "scheduler/scheduler_config.json"})
    keylens::WriteFileAtomically(Folder() / file, bytes);
  keylens::FindModelKind(Folder());
  for (const keylens::ModelKind* kind : keylens::ModelKinds())
    kind->Describe(Folder());
  return 0;
}
