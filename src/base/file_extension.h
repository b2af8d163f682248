#ifndef KEYLENS_SRC_BASE_FILE_EXTENSION_H_
#define KEYLENS_SRC_BASE_FILE_EXTENSION_H_

#include <filesystem>
#include <string>

namespace keylens {

// What a file's name says of its format: ".png" of "heart.PNG", "" of "heart".
std::string ExtensionOf(const std::filesystem::path& path);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_FILE_EXTENSION_H_
