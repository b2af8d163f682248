#include "src/markup/markup.h"

#include <memory>

#include "src/base/error.h"

namespace keylens {

void ParseMarkup(std::string_view xml, const std::string& file_name,
                 const std::string& kind, const GMarkupParser& parser,
                 void* data) {
  struct Free {
    void operator()(GMarkupParseContext* context) const {
      g_markup_parse_context_free(context);
    }
  };
  const std::unique_ptr<GMarkupParseContext, Free> context(
      g_markup_parse_context_new(&parser, GMarkupParseFlags(0), data, nullptr));
  GError* error = nullptr;
  if (g_markup_parse_context_parse(context.get(), xml.data(),
                                   static_cast<gssize>(xml.size()), &error) &&
      g_markup_parse_context_end_parse(context.get(), &error)) {
    return;
  }
  const std::string reason = error->message;
  g_error_free(error);
  throw Error(file_name + ": not " + kind + ": " + reason);
}

}  // namespace keylens
