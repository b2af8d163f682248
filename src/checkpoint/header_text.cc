#include "src/checkpoint/header_text.h"

#include <cstddef>

namespace keylens {
namespace {

constexpr std::size_t kMaxQuoted = 80;

}  // namespace

std::string QuotedName(std::string_view name) {
  std::string quoted = "'";
  for (const char c : name.substr(0, kMaxQuoted)) {
    const bool breaks = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    quoted.push_back(breaks ? '?' : c);
  }
  return quoted + (name.size() > kMaxQuoted ? "...'" : "'");
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

}  // namespace keylens
