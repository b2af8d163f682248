#ifndef KEYLENS_SRC_TEXT_TRAINER_PROTOCOL_H_
#define KEYLENS_SRC_TEXT_TRAINER_PROTOCOL_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace keylens {

// What keylens-train-tokenizer reads from its standard input: strings, each
// after its length (8 bytes, as the machine writes them). First the number of
// flags in decimal, then each flag's name and value, then the sentences. It
// writes the model to its standard output, or one line to standard error and
// exits with 1.

inline void AppendRequestString(std::string_view text, std::string& request) {
  const uint64_t length = text.size();
  char bytes[sizeof(length)];
  std::memcpy(bytes, &length, sizeof(length));
  request.append(bytes, sizeof(length));
  request.append(text);
}

// Takes a string from the front of `request`. False where none is left.
inline bool TakeRequestString(std::string_view& request, std::string& text) {
  uint64_t length = 0;
  if (request.size() < sizeof(length)) return false;
  std::memcpy(&length, request.data(), sizeof(length));
  request.remove_prefix(sizeof(length));
  if (length > request.size()) return false;
  text = request.substr(0, length);
  request.remove_prefix(length);
  return true;
}

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_TRAINER_PROTOCOL_H_
