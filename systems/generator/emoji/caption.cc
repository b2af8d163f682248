#include "systems/generator/emoji/caption.h"

#include <array>

namespace keylens {
namespace {

struct Replacement {
  std::string_view from, to;
};

// In this order: the first colon of a flag or a key is not a list's.
constexpr std::array<Replacement, 7> kReplacements = {{
    {"flag: ", "flag of "},
    {"keycap: ", "keycap "},
    {": ", ", "},
    {" & ", " and "},
    {"’", "'"},
    {"“", "\""},
    {"”", "\""},
}};

}  // namespace

std::string CaptionOf(std::string_view short_name) {
  std::string caption(short_name);
  for (const auto& [from, to] : kReplacements) {
    for (size_t at = 0; (at = caption.find(from, at)) != std::string::npos;
         at += to.size()) {
      caption.replace(at, from.size(), to);
    }
  }
  return caption;
}

}  // namespace keylens
