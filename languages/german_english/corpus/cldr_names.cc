#include "languages/german_english/corpus/cldr_names.h"

#include <fmt/format.h>
#include <glib.h>

#include <algorithm>
#include <array>

#include "languages/german_english/corpus/plain_text.h"
#include "src/markup/markup.h"

namespace keylens::german_english {
namespace {

constexpr std::string_view kZones = "/ldml/dates/timeZoneNames/zone[";
constexpr std::string_view kCity = "]/exemplarCity";

// Where the names stand that people use.
constexpr std::array<std::string_view, 7> kSections = {
    "/ldml/localeDisplayNames/languages/language[",
    "/ldml/localeDisplayNames/territories/territory[",
    "/ldml/numbers/currencies/currency[",
    kZones,
    "/ldml/dates/calendars/calendar[gregorian]/months/monthContext[format]/"
    "monthWidth[wide]/",
    "/ldml/dates/calendars/calendar[gregorian]/days/dayContext[format]/"
    "dayWidth[wide]/",
    "/ldml/annotations/annotation["};

bool IsNamed(std::string_view path) {
  if (!std::ranges::any_of(kSections, [&](std::string_view section) {
        return path.starts_with(section);
      })) {
    return false;
  }
  if (path.starts_with(kZones)) return path.ends_with(kCity);
  if (path.find("/annotations/") != path.npos) return path.ends_with(",tts]");
  return path.find("/currencies/") == path.npos ||
         path.ends_with("]/displayName");
}

// The element being read, as its path from the root: names, with the values of
// the attributes `cp` and `type` in brackets. GLib's callbacks are C: none of
// them throws but for want of memory.
struct Reader {
  explicit Reader(CldrNames* to) : names(to) {}

  CldrNames* names;
  std::vector<std::string> path = {""};
  std::string text;
};

void StartElement(GMarkupParseContext*, const gchar* element,
                  const gchar** names, const gchar** values, gpointer data,
                  GError**) {
  auto* reader = static_cast<Reader*>(data);
  std::string attributes;
  bool variant = false;
  for (; *names != nullptr; ++names, ++values) {
    const std::string_view name = *names;
    if (name == "cp" || name == "type") {
      if (!attributes.empty()) attributes += ',';
      attributes += *values;
    }
    variant = variant || name == "alt" || name == "count";
  }
  reader->path.push_back(
      fmt::format("{}/{}{}{}", reader->path.back(), variant ? "?" : "", element,
                  attributes.empty() ? "" : fmt::format("[{}]", attributes)));
  reader->text.clear();
}

void AddText(GMarkupParseContext*, const gchar* text, gsize length,
             gpointer data, GError**) {
  static_cast<Reader*>(data)->text.append(text, length);
}

void EndElement(GMarkupParseContext*, const gchar*, gpointer data, GError**) {
  auto* reader = static_cast<Reader*>(data);
  // CLDR writes an inherited value as three arrows.
  if (IsNamed(reader->path.back()) && !reader->text.empty() &&
      reader->text != "↑↑↑") {
    (*reader->names)[reader->path.back()] = reader->text;
  }
  reader->path.pop_back();
  reader->text.clear();
}

// "New York" of
// "/ldml/dates/timeZoneNames/zone[America/New_York]/exemplarCity".
std::string CityOf(std::string_view path) {
  path.remove_suffix(kCity.size());
  path.remove_prefix(path.rfind('/') + 1);
  return ReplaceAll(std::string(path), "_", " ");
}

}  // namespace

void ReadCldrNames(std::string_view xml, const std::string& file_name,
                   CldrNames& names) {
  Reader reader(&names);
  const GMarkupParser parser = {StartElement, EndElement, AddText, nullptr,
                                nullptr};
  ParseMarkup(xml, file_name, "an LDML file", parser, &reader);
}

std::vector<Pair> PairNames(const CldrNames& english, const CldrNames& german) {
  std::vector<Pair> pairs;
  for (const auto& [path, name] : german) {
    const auto found = english.find(path);
    if (found != english.end()) {
      pairs.push_back({found->second, name});
    } else if (path.starts_with(kZones)) {
      pairs.push_back({CityOf(path), name});
    }
  }
  return pairs;
}

}  // namespace keylens::german_english
