#include "src/checkpoint/json_mistake.h"

#include <string_view>

namespace keylens {
namespace {

// What stands between `before` and `after`, or up to the end where there is no
// `after`; "" where there is no `before`.
std::string_view Between(std::string_view text, std::string_view before,
                         std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin + before.size());
  return text.substr(0, text.find(after));
}

// "an array", "a number"
std::string WithArticle(std::string_view type) {
  if (type == "null" || type.empty()) return "null";
  const bool vowel = type == "array" || type == "object";
  return std::string(vowel ? "an " : "a ").append(type);
}

}  // namespace

std::string JsonMistake(const nlohmann::json::exception& error) {
  const std::string_view what = error.what();
  if (what.find("parse_error") != std::string_view::npos) {
    const std::string place(Between(what, "at line ", ":"));
    return place.empty() ? "is no JSON" : "is no JSON (line " + place + ")";
  }
  const std::string_view missing = Between(what, "key '", "' not found");
  if (!missing.empty()) return "has no entry \"" + std::string(missing) + "\"";
  const std::string_view wanted = Between(what, "type must be ", ",");
  const std::string_view found = Between(what, "but is ", "\n");
  if (!wanted.empty()) {
    return "an entry must be " + WithArticle(wanted) + ", not " +
           WithArticle(found);
  }
  const std::string_view whole = Between(what, ") with ", "\n");
  if (!whole.empty()) return "must be an object, not " + WithArticle(whole);
  if (what.find("array index") != std::string_view::npos)
    return "a list is too short";
  return "cannot be used (" + std::string(Between(what, "] ", "\n")) + ")";
}

}  // namespace keylens
