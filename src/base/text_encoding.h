#ifndef KEYLENS_SRC_BASE_TEXT_ENCODING_H_
#define KEYLENS_SRC_BASE_TEXT_ENCODING_H_

#include <string>
#include <string_view>

// Text as programs write it: UTF-8, or UTF-16 as some editors save it.

namespace keylens {

// Whether bytes are UTF-16: they begin with its byte-order mark, or every other
// one of the first is 0, which no text in UTF-8 has.
bool IsUtf16(std::string_view bytes);

// The bytes as UTF-8, without a byte-order mark. UTF-16 is decoded; an unpaired
// surrogate, or half a unit at the end, becomes U+FFFD. Other bytes stay as
// they are, whether they are UTF-8 or not.
std::string DecodedText(std::string bytes);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_TEXT_ENCODING_H_
