#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_PLACEHOLDERS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_PLACEHOLDERS_H_

#include <string_view>
#include <vector>

#include "systems/translator/rules/protected.h"

namespace keylens::translator {

// What programs put values into, in order: %s, %1$d, %-5.2f, %@, %1, %{name},
// %(name)s, {0}, {name}, {{ name }}, {n, plural, ...}, ${name}, #{name}, $name,
// and character references (&amp;). Each with the letters that touch it, is a
// number where its form or its name says that it counts something, and
// otherwise a name.
std::vector<Protected> FindPlaceholders(std::string_view text);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_PLACEHOLDERS_H_
