#ifndef KEYLENS_SRC_CHECKPOINT_HEADER_TEXT_H_
#define KEYLENS_SRC_CHECKPOINT_HEADER_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a file says of itself, in messages of one line.

namespace keylens {

// "'encoder.weight'", cut after 80 bytes, without anything that would break a
// line of text.
std::string QuotedName(std::string_view name);

// "[3, 224]"
std::string ShapeText(const std::vector<int64_t>& shape);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_HEADER_TEXT_H_
