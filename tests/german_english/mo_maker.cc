#include "tests/german_english/mo_maker.h"

#include <cstdint>

namespace keylens::german_english {
namespace {

void AppendNumber(uint32_t number, bool big_endian, std::string& bytes) {
  for (int i = 0; i < 4; ++i) {
    bytes += static_cast<char>(number >> 8 * (big_endian ? 3 - i : i) & 0xFF);
  }
}

}  // namespace

std::string MakeMo(
    const std::vector<std::pair<std::string, std::string>>& messages,
    bool big_endian) {
  constexpr uint32_t kHeaderBytes = 28;
  const auto count = static_cast<uint32_t>(messages.size());
  const uint32_t ids = kHeaderBytes, translations = ids + 8 * count;
  std::string bytes, texts;
  // Revision 0 and no hash table.
  for (const uint32_t number :
       {0x950412DEu, 0u, count, ids, translations, 0u, 0u}) {
    AppendNumber(number, big_endian, bytes);
  }
  const auto append = [&](const std::string& text) {
    AppendNumber(static_cast<uint32_t>(text.size()), big_endian, bytes);
    AppendNumber(translations + 8 * count + static_cast<uint32_t>(texts.size()),
                 big_endian, bytes);
    texts += text + '\0';
  };
  for (const auto& message : messages) append(message.first);
  for (const auto& message : messages) append(message.second);
  return bytes + texts;
}

}  // namespace keylens::german_english
