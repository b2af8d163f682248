#ifndef KEYLENS_SRC_RENDER_REPORT_BASE64_H_
#define KEYLENS_SRC_RENDER_REPORT_BASE64_H_

#include <string>
#include <string_view>

namespace keylens::render {

// Any bytes as text, for documents that hold pictures and arrays (RFC 4648).
std::string Base64(std::string_view bytes);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_BASE64_H_
