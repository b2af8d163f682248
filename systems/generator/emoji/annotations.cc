#include "systems/generator/emoji/annotations.h"

#include <glib.h>

#include <cstring>

#include "src/markup/markup.h"

namespace keylens {
namespace {

// The <annotation> element being read. GLib's callbacks are C: none of them
// throws but for want of memory.
struct Reader {
  explicit Reader(Annotations* to) : annotations(to) {}

  Annotations* annotations;
  bool inside = false;
  bool is_short_name = false;
  std::string characters;
  std::string text;
};

void StartElement(GMarkupParseContext*, const gchar* element,
                  const gchar** names, const gchar** values, gpointer data,
                  GError**) {
  auto* reader = static_cast<Reader*>(data);
  reader->inside = std::strcmp(element, "annotation") == 0;
  reader->is_short_name = false;
  reader->characters.clear();
  reader->text.clear();
  for (; *names != nullptr; ++names, ++values) {
    if (std::strcmp(*names, "cp") == 0) reader->characters = *values;
    if (std::strcmp(*names, "type") == 0) {
      reader->is_short_name = std::strcmp(*values, "tts") == 0;
    }
  }
}

void AddText(GMarkupParseContext*, const gchar* text, gsize length,
             gpointer data, GError**) {
  auto* reader = static_cast<Reader*>(data);
  if (reader->inside) reader->text.append(text, length);
}

// "heart | red" as its parts.
std::vector<std::string> SplitKeywords(std::string_view text) {
  std::vector<std::string> keywords;
  while (true) {
    const size_t bar = text.find('|');
    std::string_view word = text.substr(0, bar);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) keywords.emplace_back(word);
    if (bar == std::string_view::npos) return keywords;
    text.remove_prefix(bar + 1);
  }
}

void EndElement(GMarkupParseContext*, const gchar*, gpointer data, GError**) {
  auto* reader = static_cast<Reader*>(data);
  if (!reader->inside) return;
  reader->inside = false;
  Annotation& annotation = (*reader->annotations)[reader->characters];
  if (reader->is_short_name) {
    annotation.short_name = reader->text;
  } else {
    annotation.keywords = SplitKeywords(reader->text);
  }
}

}  // namespace

void ReadAnnotations(std::string_view xml, const std::string& file_name,
                     Annotations& annotations) {
  Reader reader(&annotations);
  const GMarkupParser parser = {StartElement, EndElement, AddText, nullptr,
                                nullptr};
  ParseMarkup(xml, file_name, "a CLDR annotation file", parser, &reader);
}

}  // namespace keylens
