#ifndef KEYLENS_TESTS_IMAGE_TEMPORARY_PATH_H_
#define KEYLENS_TESTS_IMAGE_TEMPORARY_PATH_H_

#include <filesystem>
#include <string>

namespace keylens {

// A path of its own for each test, in GoogleTest's folder of temporary files.
std::filesystem::path TemporaryPath(const std::string& name);

}  // namespace keylens

#endif  // KEYLENS_TESTS_IMAGE_TEMPORARY_PATH_H_
