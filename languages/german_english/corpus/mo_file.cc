#include "languages/german_english/corpus/mo_file.h"

#include <fmt/format.h>

#include <cstdint>

#include "src/base/error.h"

namespace keylens::german_english {
namespace {

constexpr uint32_t kMagic = 0x950412DE;
constexpr uint32_t kMagicSwapped = 0xDE120495;
constexpr uint32_t kHeaderBytes = 28;
constexpr uint32_t kEntryBytes = 8;  // a length and an offset
constexpr char kEndOfContext = '\4';

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& file_name)
      : bytes_(bytes), file_name_(file_name) {
    if (bytes.size() < kHeaderBytes) Fail("it is cut short");
    const uint32_t magic = Number(0);
    if (magic == kMagicSwapped) {
      swapped_ = true;
    } else if (magic != kMagic) {
      Fail("it does not start as one");
    }
    if (Number(4) >> 16 > 1) Fail("its revision is not 0 or 1");
  }

  // The four bytes at `at`, in the byte order of the file.
  uint32_t Number(uint64_t at) const {
    if (at + 4 > bytes_.size()) Fail("a table lies outside of it");
    uint32_t number = 0;
    for (int i = 0; i < 4; ++i) {
      const auto byte = static_cast<uint8_t>(bytes_[at + i]);
      number |= uint32_t{byte} << 8 * (swapped_ ? 3 - i : i);
    }
    return number;
  }

  // The string that entry `index` of the table at `table` points to.
  std::string_view Text(uint64_t table, uint64_t index) const {
    const uint64_t entry = table + index * kEntryBytes;
    const uint64_t length = Number(entry), offset = Number(entry + 4);
    if (offset + length > bytes_.size()) Fail("a message lies outside of it");
    return bytes_.substr(offset, length);
  }

 private:
  [[noreturn]] void Fail(const char* why) const {
    throw Error(
        fmt::format("{}: not a GNU message catalogue: {}", file_name_, why));
  }

  std::string_view bytes_;
  const std::string& file_name_;
  bool swapped_ = false;
};

// Plural forms stand one after the other, with a zero byte between them.
std::vector<std::string_view> SplitForms(std::string_view text) {
  std::vector<std::string_view> forms;
  while (true) {
    const size_t end = text.find('\0');
    forms.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return forms;
    text.remove_prefix(end + 1);
  }
}

void AppendMessage(std::string_view id, std::string_view translation,
                   std::vector<Pair>& messages) {
  if (const size_t end = id.find(kEndOfContext); end != id.npos) {
    id.remove_prefix(end + 1);
  }
  const auto english = SplitForms(id), german = SplitForms(translation);
  for (size_t i = 0; i < english.size() && i < german.size(); ++i) {
    if (english[i].empty() || german[i].empty()) continue;
    messages.push_back({std::string(english[i]), std::string(german[i])});
  }
}

}  // namespace

std::vector<Pair> ParseMo(std::string_view bytes,
                          const std::string& file_name) {
  const Reader reader(bytes, file_name);
  const uint32_t count = reader.Number(8);
  const uint64_t ids = reader.Number(12), translations = reader.Number(16);
  std::vector<Pair> messages;
  for (uint32_t i = 0; i < count; ++i) {
    AppendMessage(reader.Text(ids, i), reader.Text(translations, i), messages);
  }
  return messages;
}

}  // namespace keylens::german_english
