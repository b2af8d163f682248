// Any bytes as a compiled message catalogue, and its messages as sentences.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "languages/german_english/corpus/mo_file.h"
#include "languages/german_english/corpus/sentences.h"
#include "src/base/error.h"
#include "src/base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace de = keylens::german_english;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    for (const de::Pair& message : de::ParseMo(bytes, "fuzz.mo")) {
      de::Counts counts;
      for (const de::Pair& pair : de::MessageToSentences(message, counts)) {
        if (pair.english.empty() || pair.german.empty() ||
            !keylens::IsUtf8(pair.english + pair.german) ||
            (pair.english + pair.german).find_first_of("\t\n") !=
                std::string::npos) {
          std::abort();
        }
      }
    }
  } catch (const keylens::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
      std::abort();
    }
  }
  return 0;
}
