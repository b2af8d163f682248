#include "src/base/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Lines, EndInEitherWay) {
  EXPECT_THAT(LinesOf("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(LinesOf("a\r\n"), ElementsAre("a"));
  EXPECT_THAT(LinesOf("a\rb\r"), ElementsAre("a\rb"));
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
  EXPECT_THAT(LinesOf(""), IsEmpty());
}

TEST(Lines, AByteOrderMarkIsNoPartOfTheFirst) {
  EXPECT_THAT(LinesOf("\xEF\xBB\xBFone\r\ntwo"), ElementsAre("one", "two"));
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF"), IsEmpty());
  EXPECT_THAT(LinesOf("a\xEF\xBB\xBF"), ElementsAre("a\xEF\xBB\xBF"));
  const auto path = TemporaryPath("lines.txt");
  WriteFileAtomically(path, "\xEF\xBB\xBFone\n");
  EXPECT_THAT(ReadLines(path), ElementsAre("one"));
  RemoveFile(path);
}

}  // namespace
}  // namespace keylens
