// Any bytes as a TSV file of translations, checked as the data set's are.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "languages/german_english/corpus/pair_check.h"
#include "languages/german_english/corpus/parallel_tsv.h"
#include "languages/german_english/corpus/plain_text.h"
#include "src/base/error.h"
#include "src/base/utf8.h"

namespace {

// Plain text is UTF-8 on one line, and stays as it is.
std::string Plain(const std::string& text) {
  std::string plain = keylens::german_english::ToPlainText(text);
  if (!keylens::IsUtf8(plain) ||
      plain.find_first_of("\t\n\r") != std::string::npos ||
      keylens::german_english::ToPlainText(plain) != plain) {
    std::abort();
  }
  return plain;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace de = keylens::german_english;
  de::Counts counts;
  try {
    for (const de::Pair& row : de::ParseParallelTsv(
             {reinterpret_cast<const char*>(data), size}, "fuzz", counts)) {
      const de::Pair plain{Plain(row.english), Plain(row.german)};
      de::WhyUnfit(plain);
      de::ClusterKey(plain.german);
    }
  } catch (const keylens::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
      std::abort();
    }
  }
  return 0;
}
