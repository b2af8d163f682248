#include "src/base/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string ErrorOf(const fs::path& path) {
  try {
    const MappedFile file(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MappedFile, ReadsFilesThatNobodyMayWriteAndEmptyOnes) {
  const fs::path path = TemporaryPath("mapped");
  WriteFileAtomically(path, "some bytes");
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_EQ(MappedFile(path).text(), "some bytes");
  WriteFileAtomically(path, "");
  EXPECT_EQ(MappedFile(path).text(), "");
  fs::remove(path);
}

TEST(MappedFile, KeepsAFileThatIsReplacedOrRemoved) {
  const fs::path path = TemporaryPath("mapped");
  WriteFileAtomically(path, "old");
  const MappedFile file(path);
  WriteFileAtomically(path, "a");
  EXPECT_EQ(file.text(), "old");
  fs::remove(path);
  EXPECT_EQ(file.text(), "old");
  EXPECT_NO_THROW(file.CheckSize());
}

TEST(MappedFile, SaysThatItWasCutShort) {
  const fs::path path = TemporaryPath("mapped");
  WriteFileAtomically(path, std::string(100'000, 'x'));
  const MappedFile file(path);
  fs::resize_file(path, 200'000);
  EXPECT_NO_THROW(file.CheckSize());
  fs::resize_file(path, 50);
  EXPECT_THROW(
      {
        try {
          file.CheckSize();
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("50 of 100000 bytes"));
          EXPECT_THAT(error.what(), HasSubstr(path.string()));
          throw;
        }
      },
      Error);
  fs::remove(path);
}

TEST(MappedFile, RefusesWhatIsNoFile) {
  EXPECT_THAT(ErrorOf(TemporaryPath("missing")), HasSubstr("no such file"));
  EXPECT_THAT(ErrorOf(testing::TempDir()), HasSubstr("not a regular file"));
  const fs::path pipe = TemporaryPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ErrorOf(pipe), HasSubstr("not a regular file"));
  fs::remove(pipe);
}

}  // namespace
}  // namespace keylens
