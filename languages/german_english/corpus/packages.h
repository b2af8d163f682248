#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PACKAGES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PACKAGES_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/cldr_names.h"
#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// Where parallel text is found on a Debian machine.
struct Package {
  std::string_view source;  // what --sources calls it
  bool is_game;             // its text is in message catalogues
  std::string_view name;    // the Debian package, or packages
  std::string_view licence;
  double weight;  // of its rows in training
};

// "ding" and "cldr" first, then the games.
std::span<const Package> KnownPackages();

// Throws UsageError, listing the names there are, when there is none.
const Package& FindPackage(std::string_view source);

// The text of the dictionary. `root` is the folder under which packages are
// installed, "/". All three throw Error, naming the file and the package, for
// what is missing.
std::string ReadDingFile(const std::filesystem::path& root);

// The names in both languages.
std::vector<Pair> ReadNames(const std::filesystem::path& root);

// The messages of the game's catalogues, file by file in the order of their
// names.
std::vector<Pair> ReadGame(const std::filesystem::path& root,
                           const Package& game);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PACKAGES_H_
