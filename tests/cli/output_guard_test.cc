// What a verb may write, given what it reads.

#include "app/cli/output_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/cli/report_option.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class OutputGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = TemporaryPath("folder");
    fs::create_directories(folder_ / "set/cats");
    Make("photo.png");
    Make("set/cats/1.png");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Make(const std::string& name) const {
    WriteFileAtomically(folder_ / name, "bytes");
  }
  fs::path At(const std::string& name) const { return folder_ / name; }

  // The message of the UsageError that `path` is refused with; "" where it is
  // not.
  std::string Refusal(OutputGuard guard, const fs::path& path) const {
    try {
      guard.Writes("--maps", path);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  OutputGuard guard_;

 private:
  fs::path folder_;
};

TEST_F(OutputGuardTest, KnowsAFileByEveryName) {
  guard_.Reads(At("photo.png"));
  fs::create_symlink("photo.png", At("link.png"));
  fs::create_hard_link(At("photo.png"), At("hard.png"));
  fs::create_directory_symlink(".", At("here"));
  for (const char* name :
       {"photo.png", "./photo.png", "set/../photo.png", "set//..//photo.png",
        "link.png", "hard.png", "here/photo.png", "here/here/link.png"}) {
    EXPECT_THAT(Refusal(guard_, At(name)),
                AllOf(HasSubstr("--maps: "), HasSubstr(name),
                      HasSubstr("would replace what is read")))
        << name;
  }
  const fs::path before = fs::current_path();
  fs::current_path(At("set"));
  EXPECT_NE(Refusal(guard_, "../photo.png"), "");
  fs::current_path(before);
  Make("other.png");
  EXPECT_EQ(Refusal(guard_, At("new.png")), "");
  EXPECT_EQ(Refusal(guard_, At("other.png")), "");
}

TEST_F(OutputGuardTest, TheInputMayBeNamedByALinkToo) {
  fs::create_symlink("photo.png", At("link.png"));
  guard_.Reads(At("link.png"));
  EXPECT_NE(Refusal(guard_, At("photo.png")), "");
}

TEST_F(OutputGuardTest, AFolderThatIsReadKeepsItsFiles) {
  guard_.Reads(At("set"));
  fs::create_hard_link(At("set/cats/1.png"), At("hard.png"));
  EXPECT_THAT(Refusal(guard_, At("set/cats/1.png")), HasSubstr("cats/1.png"));
  EXPECT_NE(Refusal(guard_, At("hard.png")), "");
  EXPECT_EQ(Refusal(guard_, At("photo.png")), "");
  EXPECT_EQ(Refusal(guard_, At("set/cats/2.png")), "");
}

TEST_F(OutputGuardTest, AModelFolderKeepsWhatAModelIsMadeOf) {
  fs::create_directories(At("model/unet"));
  for (const char* name :
       {"model/config.json", "model/unet/x.safetensors", "model/heart.png"})
    Make(name);
  guard_.ReadsModel(At("model"));
  EXPECT_NE(Refusal(guard_, At("model/config.json")), "");
  EXPECT_NE(Refusal(guard_, At("model/unet/x.safetensors")), "");
  EXPECT_EQ(Refusal(guard_, At("model/heart.png")), "");
}

TEST_F(OutputGuardTest, TwoOutputsAreTwoFiles) {
  guard_.Writes("-o", At("heart.png"));
  EXPECT_THAT(Refusal(guard_, At("set/../heart.png")),
              HasSubstr("is what -o writes"));
  fs::create_symlink("heart.png", At("link.png"));  // to nothing yet
  EXPECT_NE(Refusal(guard_, At("link.png")), "");
  EXPECT_EQ(Refusal(guard_, At("other.png")), "");
}

TEST_F(OutputGuardTest, TheFolderIsThereAndAFolderIsNoFile) {
  EXPECT_THROW(guard_.Writes("--maps", At("none/m.png")), Error);
  EXPECT_THROW(guard_.Writes("--maps", At("photo.png/m.png")), Error);
  EXPECT_THROW(guard_.Writes("--maps", At("set")), Error);
  EXPECT_NO_THROW(guard_.Writes("--maps", "m.png"));
}

TEST_F(OutputGuardTest, AFolderOfOutputsMayBeNew) {
  guard_.Reads(At("photo.png"));
  EXPECT_NO_THROW(guard_.WritesFolder("--out", At("new/er"), {"photo.png"}));
  EXPECT_THROW(guard_.WritesFolder("--out", At("photo.png/x"), {}), Error);
  EXPECT_THROW(guard_.WritesFolder("--out", At("."), {"photo.png"}),
               UsageError);
}

TEST_F(OutputGuardTest, SeveralReportsAreCheckedByTheNamesTheyGet) {
  Make("m-2.png");
  guard_.Reads(At("m-2.png"));
  EXPECT_NO_THROW(GuardReports(guard_, "--maps", At("m.png")));
  EXPECT_THROW(GuardReports(guard_, "--maps", At("m.png"), 3), UsageError);
  EXPECT_THROW(GuardReports(guard_, "--maps", At("m.gif")), UsageError);
  EXPECT_EQ(NumberedPath("a/m.png", 0, 1), "a/m.png");
  EXPECT_EQ(NumberedPath("a/m.png", 10, 11), "a/m-11.png");
}

}  // namespace
}  // namespace keylens::cli
