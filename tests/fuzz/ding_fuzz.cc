// Any bytes as the dictionary Ding.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "languages/german_english/corpus/ding.h"
#include "src/base/utf8.h"

namespace {

void Check(const keylens::german_english::Pair& pair) {
  const std::string both = pair.english + pair.german;
  if (pair.english.empty() || pair.german.empty() || !keylens::IsUtf8(both) ||
      both.find_first_of("\t\n|{}[]") != std::string::npos) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace de = keylens::german_english;
  de::Counts counts;
  de::Ding ding =
      de::ReadDing({reinterpret_cast<const char*>(data), size}, counts);
  for (const de::Pair& sentence : ding.sentences) Check(sentence);
  const de::Evidence evidence(ding.sentences);
  const de::ChosenTerms chosen =
      de::ChooseTranslations(std::move(ding.candidates), evidence, counts);
  for (const auto* terms : {&chosen.words, &chosen.phrases, &chosen.terms}) {
    for (const de::Pair& term : *terms) Check(term);
  }
  return 0;
}
