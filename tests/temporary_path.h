#ifndef KEYLENS_TESTS_TEMPORARY_PATH_H_
#define KEYLENS_TESTS_TEMPORARY_PATH_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace keylens {

// A path of its own for each test, in GoogleTest's folder of temporary files.
inline std::filesystem::path TemporaryPath(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string prefix =
      std::string(test->test_suite_name()) + "." + test->name();
  return std::filesystem::path(testing::TempDir()) /
         (prefix + "." + std::to_string(getpid()) + "." + name);
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_TEMPORARY_PATH_H_
