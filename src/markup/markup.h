#ifndef KEYLENS_SRC_MARKUP_MARKUP_H_
#define KEYLENS_SRC_MARKUP_MARKUP_H_

#include <glib.h>

#include <string>
#include <string_view>

namespace keylens {

// Calls `parser` back, with `data`, for each element and text of `xml`. GLib's
// callbacks are C: none of them may throw. Throws Error, "FILE_NAME: not
// KIND: why" ("an LDML file"), where `xml` is not well-formed.
void ParseMarkup(std::string_view xml, const std::string& file_name,
                 const std::string& kind, const GMarkupParser& parser,
                 void* data);

}  // namespace keylens

#endif  // KEYLENS_SRC_MARKUP_MARKUP_H_
