#include "app/cli/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace keylens::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LineReaderTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(ends_), 0); }
  void TearDown() override {
    End();
    close(ends_[0]);
  }

  void Write(std::string_view text) const {
    ASSERT_EQ(write(ends_[1], text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  void End() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

  int ends_[2] = {-1, -1};
};

TEST_F(LineReaderTest, GivesWhatIsThereAndDoesNotWaitForMore) {
  LineReader reader(ends_[0]);
  Write("eins\nzwei\ndr");
  EXPECT_THAT(reader.Next(10), ElementsAre("eins", "zwei"));
  Write("ei\r\n\n");
  EXPECT_THAT(reader.Next(10), ElementsAre("drei", ""));
  End();
  EXPECT_THAT(reader.Next(10), IsEmpty());
}

TEST_F(LineReaderTest, GivesNoMoreThanAsked) {
  LineReader reader(ends_[0]);
  Write("a\nb\nc\n");
  EXPECT_THAT(reader.Next(2), ElementsAre("a", "b"));
  EXPECT_THAT(reader.Next(2), ElementsAre("c"));
}

TEST_F(LineReaderTest, TakesALastLineWithoutItsEnd) {
  LineReader reader(ends_[0]);
  Write("a\nb");
  End();
  EXPECT_THAT(reader.Next(10), ElementsAre("a", "b"));
  EXPECT_THAT(reader.Next(10), IsEmpty());
  EXPECT_THAT(reader.Next(10), IsEmpty());
}

}  // namespace
}  // namespace keylens::cli
