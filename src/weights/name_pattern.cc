#include "src/weights/name_pattern.h"

#include <stdexcept>

namespace keylens {
namespace {

constexpr std::string_view kAnythingName = "*";
constexpr int kMaxAnythings = 2;

[[noreturn]] void Refuse(std::string_view pattern, const char* why) {
  throw std::invalid_argument("NamePattern: '" + std::string(pattern) + "' " +
                              why);
}

// How many bytes of `text` are a number as layers are counted.
std::size_t NumberLength(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  const std::size_t length = end == std::string_view::npos ? text.size() : end;
  return length > 1 && text[0] == '0' ? 0 : length;
}

std::size_t WordLength(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot == std::string_view::npos ? text.size() : dot;
}

}  // namespace

NamePattern::NamePattern(std::string_view pattern) {
  std::string_view rest = pattern;
  while (!rest.empty()) {
    const std::size_t open = rest.find_first_of("{}");
    if (open != 0) {
      parts_.push_back({Kind::kLiteral, std::string(rest.substr(0, open))});
      rest.remove_prefix(parts_.back().text.size());
      continue;
    }
    const std::size_t close = rest.find('}');
    if (rest[0] == '}' || close == std::string_view::npos || close == 1)
      Refuse(pattern, "has a brace alone");
    AddPlaceholder(rest.substr(1, close - 1));
    rest.remove_prefix(close + 1);
  }
}

void NamePattern::AddPlaceholder(std::string_view name) {
  if (name == kAnythingName) {
    if (++anythings_ > kMaxAnythings) Refuse(name, "is there too often");
    parts_.push_back({Kind::kAnything, std::string(name)});
    return;
  }
  for (const Part& part : parts_) {
    if (part.kind != Kind::kLiteral && part.text == name)
      Refuse(name, "is there twice");
  }
  parts_.push_back(
      {name.size() == 1 ? Kind::kNumber : Kind::kWord, std::string(name)});
}

std::optional<std::vector<std::string_view>> NamePattern::Match(
    std::string_view name) const {
  std::vector<std::string_view> values;
  if (!MatchFrom(0, name, values)) return std::nullopt;
  return values;
}

// Numbers and words take all that they can: what follows them in a name is a
// dot or the end, so that giving back would not help.
bool NamePattern::MatchFrom(std::size_t at, std::string_view rest,
                            std::vector<std::string_view>& values) const {
  for (; at < parts_.size(); ++at) {
    const Part& part = parts_[at];
    if (part.kind == Kind::kAnything) return MatchAnything(at, rest, values);
    std::size_t length = part.text.size();
    if (part.kind == Kind::kLiteral) {
      if (!rest.starts_with(part.text)) return false;
    } else {
      length =
          part.kind == Kind::kNumber ? NumberLength(rest) : WordLength(rest);
      if (length == 0) return false;
      values.push_back(rest.substr(0, length));
    }
    rest.remove_prefix(length);
  }
  return rest.empty();
}

bool NamePattern::MatchAnything(std::size_t at, std::string_view rest,
                                std::vector<std::string_view>& values) const {
  const std::size_t before = values.size();
  for (std::size_t length = 0; length <= rest.size(); ++length) {
    values.resize(before);
    values.push_back(rest.substr(0, length));
    if (MatchFrom(at + 1, rest.substr(length), values)) return true;
  }
  return false;
}

std::string NamePattern::Fill(
    const NamePattern& from,
    const std::vector<std::string_view>& values) const {
  std::string text;
  std::size_t anythings = 0;  // used so far, in their order
  for (const Part& part : parts_) {
    if (part.kind == Kind::kLiteral) {
      text += part.text;
      continue;
    }
    std::size_t skip = part.kind == Kind::kAnything ? anythings++ : 0;
    std::size_t value = 0;
    bool found = false;
    for (const Part& other : from.parts_) {
      if (other.kind == Kind::kLiteral) continue;
      if (other.text == part.text && skip-- == 0) {
        text += values.at(value);
        found = true;
        break;
      }
      ++value;
    }
    if (!found) Refuse("{" + part.text + "}", "is not in the pattern it is of");
  }
  return text;
}

}  // namespace keylens
