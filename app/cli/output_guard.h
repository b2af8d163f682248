#ifndef KEYLENS_APP_CLI_OUTPUT_GUARD_H_
#define KEYLENS_APP_CLI_OUTPUT_GUARD_H_

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace keylens::cli {

// Keeps a verb from losing what it reads or has written itself. Before it does
// any work, a verb names what it reads, then each file that it will write:
//
//   OutputGuard guard;
//   for (const std::string& image : options.images) guard.Reads(image);
//   guard.Writes("--maps", options.maps);
//
// A file is known by what it is, not by its name: another spelling of the path,
// a symbolic or a hard link to it are the same file. Standard input and output
// count where they are files (`keylens translate < a.html --maps a.html`).
class OutputGuard {
 public:
  OutputGuard();

  // A file that is read, or a folder of which all files are. What does not
  // exist is left for its reader to complain about.
  void Reads(const std::filesystem::path& path);

  // A model folder. Only what may be a part of the model is read, so that
  // pictures can be written beside it.
  void ReadsModel(const std::filesystem::path& folder);

  // The file `path` in a folder that has to be there. Throws UsageError,
  // starting with `option`, where it would replace a file that is read, or one
  // that this verb writes as well; Error, where the folder is missing or takes
  // no files, and where `path` is a folder itself.
  void Writes(const std::string& option, const std::filesystem::path& path);

  // The files `names` in a folder that is made where it is missing. Throws like
  // Writes, and Error where the folder cannot be made.
  void WritesFolder(const std::string& option,
                    const std::filesystem::path& folder,
                    const std::vector<std::string>& names);

 private:
  using FileId = std::pair<dev_t, ino_t>;

  void ListFolders();
  void CheckLosesNothing(const std::string& option,
                         const std::filesystem::path& path);

  std::map<FileId, std::string> read_;  // and the name it was given by
  std::vector<std::filesystem::path> folders_, models_;   // not yet listed
  std::map<std::filesystem::path, std::string> written_;  // and its option
  std::map<FileId, std::string> replaced_;                // and its option
};

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_OUTPUT_GUARD_H_
