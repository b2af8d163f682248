#include "src/render/report/base64.h"

#include <glib.h>

#include <memory>

namespace keylens::render {

std::string Base64(std::string_view bytes) {
  const std::unique_ptr<gchar, decltype(&g_free)> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()),
                      bytes.size()),
      g_free);
  return text.get();
}

}  // namespace keylens::render
