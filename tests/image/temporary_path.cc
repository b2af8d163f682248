#include "tests/image/temporary_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace keylens {

std::filesystem::path TemporaryPath(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string prefix =
      std::string(test->test_suite_name()) + "." + test->name();
  return std::filesystem::path(testing::TempDir()) /
         (prefix + "." + std::to_string(getpid()) + "." + name);
}

}  // namespace keylens
