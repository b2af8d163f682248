#ifndef KEYLENS_TESTS_CLASSIFIER_FOLDER_H_
#define KEYLENS_TESTS_CLASSIFIER_FOLDER_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens::classifier {

// A folder of the running test, gone when the test ends.
class Folder {
 public:
  Folder() : path_(TemporaryPath("folder")) { MakeFolder(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

  void Write(const std::string& name, const std::string& bytes) const {
    MakeFolder((path_ / name).parent_path());
    WriteFileAtomically(path_ / name, bytes);
  }

 private:
  std::filesystem::path path_;
};

// What the Error that `call` throws says; a failure where it throws none.
inline std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error";
  return "";
}

inline std::filesystem::path TestPicture(const std::string& name) {
  return std::filesystem::path(KEYLENS_SOURCE_DIR) / "tests/classifier/data" /
         (name + ".png");
}

}  // namespace keylens::classifier

#endif  // KEYLENS_TESTS_CLASSIFIER_FOLDER_H_
