#include "src/base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "src/base/error.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// A folder of its own for every test, removed afterwards.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string name = (fs::temp_directory_path() / "keylens-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~FileTest() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  fs::path folder_;
};

// The message of the Error that `action` throws.
template <typename Action>
std::string ErrorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

// While it lives, files cannot grow beyond a size, as on a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST_F(FileTest, WritesAndReadsAnyBytes) {
  const std::string bytes("\0a\nb\r\xff", 6);
  WriteFileAtomically(folder_ / "x", bytes);
  EXPECT_EQ(ReadFile(folder_ / "x"), bytes);
  EXPECT_THAT(Names(), ElementsAre("x"));
}

TEST_F(FileTest, ReplacesAFile) {
  WriteFileAtomically(folder_ / "x", "a long old text");
  WriteFileAtomically(folder_ / "x", "new");
  EXPECT_EQ(ReadFile(folder_ / "x"), "new");
  WriteFileAtomically(folder_ / "x", "");
  EXPECT_EQ(ReadFile(folder_ / "x"), "");
}

TEST_F(FileTest, WithoutCommitNothingChanges) {
  WriteFileAtomically(folder_ / "x", "old");
  {
    AtomicFile file(folder_ / "x");
    file.Write("half of the ne");
    EXPECT_EQ(ReadFile(folder_ / "x"), "old");
    EXPECT_TRUE(fs::exists(file.temporary_path()));
  }
  EXPECT_EQ(ReadFile(folder_ / "x"), "old");
  EXPECT_THAT(Names(), ElementsAre("x"));
}

TEST_F(FileTest, OthersMayReadTheResult) {
  const mode_t before = umask(022);
  WriteFileAtomically(folder_ / "x", "new");
  umask(before);
  struct stat status;
  ASSERT_EQ(stat((folder_ / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST_F(FileTest, AFullDiskLeavesTheOldFileAndNothingElse) {
  WriteFileAtomically(folder_ / "x", "old");
  const std::string big(100'000, 'n');
  std::string message;
  {
    const SmallFiles full(10'000);
    message = ErrorOf([&] { WriteFileAtomically(folder_ / "x", big); });
  }
  EXPECT_THAT(message, StartsWith((folder_ / "x").string() + ": "));
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_EQ(ReadFile(folder_ / "x"), "old");
  EXPECT_THAT(Names(), ElementsAre("x"));
}

// The bytes fit the stream's buffer, so that only Commit can find out.
TEST_F(FileTest, ADiskThatFillsAtTheLastMoment) {
  WriteFileAtomically(folder_ / "x", "old");
  std::string message;
  {
    const SmallFiles full(2);
    AtomicFile file(folder_ / "x");
    file.Write("four");
    message = ErrorOf([&] { file.Commit(); });
  }
  EXPECT_THAT(message, HasSubstr("cannot be written"));
  EXPECT_EQ(ReadFile(folder_ / "x"), "old");
  EXPECT_THAT(Names(), ElementsAre("x"));
}

TEST_F(FileTest, AFolderThatIsMissing) {
  const fs::path path = folder_ / "no" / "x";
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(path, "new"); }),
              ::testing::AllOf(StartsWith(path.string() + ": "),
                               HasSubstr("No such file or directory")));
  EXPECT_THAT(Names(), IsEmpty());
}

// Root may write anywhere: while one of these lives, root is nobody.
class AsNobody {
 public:
  AsNobody() {
    if (was_root_) Become(65534);
  }
  ~AsNobody() {
    if (was_root_) Become(0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static void Become(uid_t user) {
    if (seteuid(user) != 0) std::abort();
  }
  const bool was_root_ = geteuid() == 0;
};

TEST_F(FileTest, AFolderThatCannotBeWritten) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const AsNobody nobody;
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(folder_ / "x", "new"); }),
              HasSubstr("Permission denied"));
}

// /proc refuses new files to everybody, root included.
TEST_F(FileTest, AFolderThatNobodyCanWrite) {
  EXPECT_THAT(ErrorOf([] { WriteFileAtomically("/proc/keylens", "new"); }),
              StartsWith("/proc/keylens: cannot be written: "));
}

TEST_F(FileTest, AFolderInThePlaceOfTheFile) {
  fs::create_directory(folder_ / "x");
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(folder_ / "x", "new"); }),
              HasSubstr("cannot be replaced"));
  EXPECT_THAT(Names(), ElementsAre("x"));
}

TEST_F(FileTest, ARelativeNameGoesToTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  WriteFileAtomically("x", "new");
  fs::current_path(before);
  EXPECT_EQ(ReadFile(folder_ / "x"), "new");
}

// A process that writes `path` and is killed before it commits.
void WriteAndBeKilled(const fs::path& path) {
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path);
    file.Write(std::string(100'000, 'x'));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(FileTest, TheNextWriterRemovesWhatKilledOnesLeft) {
  for (int i = 0; i < 5; ++i) WriteAndBeKilled(folder_ / "x");
  EXPECT_THAT(Names(), SizeIs(1)) << "each removes the one before it";
  WriteAndBeKilled(folder_ / "y");
  const AtomicFile living(folder_ / "x");
  const std::string left = [&] {
    for (const std::string& name : Names())
      if (name.starts_with(".y.")) return name;
    return std::string();
  }();
  WriteFileAtomically(folder_ / "x", "new");
  // A living writer's, and one of another name, are not its own to remove.
  EXPECT_THAT(Names(),
              UnorderedElementsAre(
                  "x", left, living.temporary_path().filename().string()));
}

TEST_F(FileTest, HiddenFilesOfPeopleStay) {
  const std::vector<std::string> names = {
      ".x.backup", ".x.Backup", ".x.BACKUP",  ".x.202611", ".x.Ab1",
      "x.Ab12cD",  ".x.Ab12c-", ".x.Ab12cDe", ".x",        ".x."};
  for (const std::string& name : names)
    WriteFileAtomically(folder_ / name, "mine");
  fs::create_symlink("nowhere", folder_ / ".x.Ab12cE");
  WriteFileAtomically(folder_ / ".x.Ab12cD", "a dead writer's");
  WriteFileAtomically(folder_ / "x", "new");
  EXPECT_FALSE(fs::exists(folder_ / ".x.Ab12cD"));
  EXPECT_THAT(Names(), SizeIs(names.size() + 2));
}

// The mask of the process is never touched, so that what other threads make in
// the meantime has the access that it should have.
TEST_F(FileTest, OtherThreadsKeepTheirMask) {
  const mode_t before = umask(077);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    while (!stop) WriteFileAtomically(folder_ / "x", "new");
  });
  mode_t widest = 0;
  for (int i = 0; i < 5000; ++i) {
    const fs::path path = folder_ / "other";
    close(open(path.c_str(), O_CREAT | O_WRONLY, 0666));
    struct stat status;
    stat(path.c_str(), &status);
    widest |= status.st_mode & 0777;
    unlink(path.c_str());
  }
  stop = true;
  writer.join();
  umask(before);
  EXPECT_EQ(widest, 0600u);
}

TEST_F(FileTest, ReadingNamesTheFileAndWhatIsWrong) {
  EXPECT_EQ(ErrorOf([&] { ReadFile(folder_ / "x"); }),
            (folder_ / "x").string() + ": no such file");
  EXPECT_EQ(ErrorOf([&] { ReadFile(folder_); }),
            folder_.string() + ": not a regular file");
  WriteFileAtomically(folder_ / "x", "12345");
  EXPECT_EQ(ReadFile(folder_ / "x", 5), "12345");
  EXPECT_EQ(
      ErrorOf([&] { ReadFile(folder_ / "x", 4); }),
      (folder_ / "x").string() + ": 5 bytes, more than the 4 that are read");
}

TEST_F(FileTest, MakesAFolderAndItsParents) {
  MakeFolder(folder_ / "a" / "b");
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
  EXPECT_NO_THROW(MakeFolder(folder_ / "a"));
  WriteFileAtomically(folder_ / "x", "new");
  EXPECT_THAT(ErrorOf([&] { MakeFolder(folder_ / "x"); }),
              StartsWith((folder_ / "x").string() + ": "));
  EXPECT_THAT(ErrorOf([&] { MakeFolder(folder_ / "x" / "y"); }),
              StartsWith((folder_ / "x" / "y").string() + ": "));
}

}  // namespace
}  // namespace keylens
