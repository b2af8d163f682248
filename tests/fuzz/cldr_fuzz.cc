// Any bytes as a CLDR file of names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "languages/german_english/corpus/cldr_names.h"
#include "src/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace de = keylens::german_english;
  de::CldrNames names;
  try {
    de::ReadCldrNames({reinterpret_cast<const char*>(data), size}, "fuzz.xml",
                      names);
    if (de::PairNames(names, names).size() != names.size()) std::abort();
  } catch (const keylens::Error& error) {
    if (std::string(error.what()).find("fuzz.xml") != 0) std::abort();
  }
  return 0;
}
