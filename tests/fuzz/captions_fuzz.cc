// Any bytes as the metadata.jsonl of a folder that holds one picture, "a.png".
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/image/image.h"
#include "systems/generator/data/picture_set.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using keylens::generator::CaptionedPicture;
  static const auto picture =
      keylens::ScratchFile("a.png", keylens::EncodePng({2, 1, 1, {0, 255}}));
  keylens::ScratchFile("metadata.jsonl",
                       {reinterpret_cast<const char*>(data), size});
  const auto one_line = [](const std::string& note) {
    if (note.empty() || note.find('\n') != std::string::npos) std::abort();
  };
  try {
    for (const CaptionedPicture& read : keylens::generator::ReadPictureSet(
             picture.parent_path(), 4, one_line)) {
      if (read.image.pixels.size() != 4 * 4 * 4) std::abort();
    }
  } catch (const keylens::Error& error) {
    one_line(error.what());
  }
  return 0;
}
