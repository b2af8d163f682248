#include "src/base/atomic_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AtomicFolderTest : public testing::Test {
 protected:
  AtomicFolderTest() {
    std::string name = (fs::temp_directory_path() / "keylens-XXXXXX").string();
    root_ = mkdtemp(name.data());
    folder_ = root_ / "model";
  }
  ~AtomicFolderTest() override { fs::remove_all(root_); }

  // Every file of an export holds its number.
  static void Fill(const fs::path& folder, const std::string& number) {
    MakeFolder(folder / "unet");
    WriteFileAtomically(folder / "config.json", number);
    WriteFileAtomically(folder / "unet" / "weights", number);
    WriteFileAtomically(folder / "tokenizer", number);
  }
  void Export(const std::string& number) {
    WriteFolderAtomically(
        folder_, [&](const fs::path& temporary) { Fill(temporary, number); });
  }
  std::string Content(const std::string& name) const {
    return ReadFile(folder_ / name);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path root_, folder_;
};

TEST_F(AtomicFolderTest, MakesAndReplacesAFolder) {
  Export("1");
  EXPECT_EQ(Content("unet/weights"), "1");
  Export("2");
  EXPECT_EQ(Content("config.json"), "2");
  EXPECT_EQ(Content("unet/weights"), "2");
  EXPECT_THAT(Names(), ElementsAre("model"));
}

TEST_F(AtomicFolderTest, KeepsFilesOfOthersAndLeavesNoLeftOvers) {
  Export("1");
  WriteFileAtomically(folder_ / "README.md", "a card");
  WriteFileAtomically(folder_ / "unet" / "NOTES", "notes");
  fs::create_symlink("README.md", folder_ / "link");
  WriteFileAtomically(folder_ / ".config.json.Ab12cD", "a dead writer's");
  Export("2");
  EXPECT_EQ(Content("README.md"), "a card");
  EXPECT_EQ(Content("unet/NOTES"), "notes");
  EXPECT_EQ(fs::read_symlink(folder_ / "link"), "README.md");
  EXPECT_EQ(Content("config.json"), "2");
  EXPECT_FALSE(fs::exists(folder_ / ".config.json.Ab12cD"));
}

TEST_F(AtomicFolderTest, AFailureLeavesTheFolderAsItWas) {
  Export("1");
  try {
    WriteFolderAtomically(folder_, [&](const fs::path& temporary) {
      WriteFileAtomically(temporary / "config.json", "2");
      WriteFileAtomically(temporary / "missing" / "weights", "2");
    });
    ADD_FAILURE();
  } catch (const Error& error) {
    // By the name that it would have had.
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr((folder_ / "missing" / "weights").string()),
                      Not(HasSubstr(".model."))));
  }
  EXPECT_EQ(Content("config.json"), "1");
  EXPECT_THAT(Names(), ElementsAre("model"));
}

TEST_F(AtomicFolderTest, FollowsALinkAndTakesATrailingSlash) {
  const fs::path real = folder_;
  Export("1");
  folder_ = root_ / "link";
  fs::create_symlink("model", folder_);
  Export("2");
  EXPECT_TRUE(fs::is_symlink(folder_));
  EXPECT_EQ(ReadFile(real / "config.json"), "2");
  folder_ = real.string() + "/";
  Export("3");
  EXPECT_EQ(ReadFile(real / "config.json"), "3");
}

TEST_F(AtomicFolderTest, RefusesAFileInItsPlace) {
  WriteFileAtomically(folder_, "a file");
  EXPECT_THROW(Export("1"), Error);
  EXPECT_EQ(ReadFile(folder_), "a file");
}

// Whenever a writer is killed, all files are those of one export; the next one
// removes what it left.
TEST_F(AtomicFolderTest, KilledAtAnyMomentItNeverMixesTwoExports) {
  Export("0");
  for (int i = 1; i <= 60; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int n = 0;; ++n) Export(std::to_string(i) + "." + std::to_string(n));
    }
    usleep(static_cast<useconds_t>(1000 + i * 137 % 3000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string number = Content("config.json");
    ASSERT_EQ(Content("unet/weights"), number);
    ASSERT_EQ(Content("tokenizer"), number);
  }
  Export("last");
  EXPECT_EQ(Content("tokenizer"), "last");
  EXPECT_THAT(Names(), ElementsAre("model"));
}

}  // namespace
}  // namespace keylens
