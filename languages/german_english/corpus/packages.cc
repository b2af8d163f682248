#include "languages/german_english/corpus/packages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "languages/german_english/corpus/mo_file.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens::german_english {
namespace {

namespace fs = std::filesystem;

constexpr std::array<Package, 6> kPackages = {{
    {"ding", false, "trans-de-en", "GPL-2+, Frank Richter and others", 0.5},
    {"cldr", false, "unicode-cldr-core", "Unicode-DFS-2016", 1.0},
    {"freedroidrpg", true, "freedroidrpg-data", "GPL-2+", 0.5},
    {"freedink", true, "freedink-data", "zlib and others", 1.0},
    {"widelands", true, "widelands-data", "GPL-2+", 0.1},
    {"wesnoth", true, "wesnoth-1.16-data and its campaigns", "GPL-2+", 0.1},
}};

// The folder of a game's catalogues, and how the names of those begin that are
// its texts.
struct Catalogues {
  std::string_view source;
  std::string_view folder;  // may have one "*", for a version
  std::string_view prefix;
};

constexpr std::array<Catalogues, 4> kCatalogues = {{
    {"freedroidrpg", "usr/share/locale/de/LC_MESSAGES", "freedroidrpg"},
    {"freedink", "usr/share/games/dink/dink/l10n/de/LC_MESSAGES", ""},
    {"widelands", "usr/share/games/widelands/data/locale/de/LC_MESSAGES", ""},
    {"wesnoth", "usr/share/games/wesnoth/*/locale/de/LC_MESSAGES", "wesnoth"},
}};

[[noreturn]] void FailMissing(const fs::path& path, const Package& package) {
  throw Error(
      fmt::format("{} is missing; install the Debian package {}, or leave {} "
                  "out of --sources",
                  path.string(), package.name, package.source));
}

std::string ReadPackageFile(const fs::path& path, const Package& package) {
  if (!fs::exists(path)) FailMissing(path, package);
  return ReadFile(path);
}

std::vector<fs::path> List(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

// The folder that a pattern names; of several versions the last.
std::optional<fs::path> FindFolder(const fs::path& root,
                                   std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) {
    fs::path folder = root / pattern;
    return fs::is_directory(folder) ? std::optional(folder) : std::nullopt;
  }
  std::optional<fs::path> last;
  for (const fs::path& version : List(root / pattern.substr(0, star))) {
    const fs::path folder = version / pattern.substr(star + 2);
    if (fs::is_directory(folder)) last = folder;
  }
  return last;
}

CldrNames ReadLanguage(const fs::path& root, const char* language) {
  CldrNames names;
  for (const char* folder : {"main", "annotations"}) {
    const fs::path path = root / "usr/share/unicode/cldr/common" / folder /
                          fmt::format("{}.xml", language);
    ReadCldrNames(ReadPackageFile(path, FindPackage("cldr")), path.string(),
                  names);
  }
  return names;
}

}  // namespace

std::span<const Package> KnownPackages() { return kPackages; }

const Package& FindPackage(std::string_view source) {
  std::string names;
  for (const Package& package : kPackages) {
    if (package.source == source) return package;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", package.source);
  }
  throw UsageError(
      fmt::format("there is no source {}; there are {}", source, names));
}

std::string ReadDingFile(const fs::path& root) {
  return ReadPackageFile(root / "usr/share/trans/de-en", FindPackage("ding"));
}

std::vector<Pair> ReadNames(const fs::path& root) {
  return PairNames(ReadLanguage(root, "en"), ReadLanguage(root, "de"));
}

std::vector<Pair> ReadGame(const fs::path& root, const Package& game) {
  const auto catalogues =
      std::ranges::find(kCatalogues, game.source, &Catalogues::source);
  const std::optional<fs::path> folder = FindFolder(root, catalogues->folder);
  std::vector<Pair> messages;
  bool found = false;
  for (const fs::path& path : folder ? List(*folder) : List({})) {
    if (path.extension() != ".mo" ||
        !path.filename().string().starts_with(catalogues->prefix)) {
      continue;
    }
    found = true;
    const std::vector<Pair> more = ParseMo(ReadFile(path), path.string());
    messages.insert(messages.end(), more.begin(), more.end());
  }
  if (!found) FailMissing(root / catalogues->folder, game);
  return messages;
}

}  // namespace keylens::german_english
