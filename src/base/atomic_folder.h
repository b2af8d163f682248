#ifndef KEYLENS_SRC_BASE_ATOMIC_FOLDER_H_
#define KEYLENS_SRC_BASE_ATOMIC_FOLDER_H_

#include <filesystem>
#include <functional>

namespace keylens {

// Writes a folder that appears whole or not at all: `write` fills a hidden
// folder beside it, which is then synced and takes the folder's name, in one
// step, with whatever had the name before. A reader that opens several files
// while this happens may still get one of the old and one of the new, as with
// any folder; one that starts afterwards does not, nor does one that starts
// after a crash at any moment.
//
// Files of the old folder that `write` did not make (a model card) are in the
// new one as well. What a killed process leaves, the next call for that folder
// removes. Throws Error, naming the folder or a file of it by the name that it
// would have had; the folder is then as it was.
//
// On a file system that cannot exchange two names, the old folder is moved away
// first: a crash between the two moves leaves no folder of that name, and both
// beside it, hidden.
void WriteFolderAtomically(
    const std::filesystem::path& folder,
    const std::function<void(const std::filesystem::path& temporary)>& write);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_ATOMIC_FOLDER_H_
