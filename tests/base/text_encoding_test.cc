#include "src/base/text_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "src/base/lines.h"

namespace keylens {
namespace {

using testing::ElementsAre;

std::string Utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8);
    const char low = static_cast<char>(unit & 0xFF);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

TEST(DecodedText, ReadsUtf16WithAndWithoutAMark) {
  const std::u16string text = u"Größe 😀\n";
  for (const bool big : {false, true}) {
    EXPECT_EQ(DecodedText(Utf16(u"\uFEFF" + text, big)), "Größe 😀\n");
    EXPECT_EQ(DecodedText(Utf16(text, big)), "Größe 😀\n");
  }
  EXPECT_EQ(DecodedText(Utf16(u"\uFEFFa", true) + "\xD8"), "a\uFFFD");
  EXPECT_EQ(DecodedText(Utf16({u"\xFEFF\xD83Dx", 3}, false)), "\uFFFDx");
}

TEST(DecodedText, LeavesOtherBytes) {
  EXPECT_EQ(DecodedText("\xEF\xBB\xBFja"), "ja");
  EXPECT_EQ(DecodedText("Gr\xF6\xDF"
                        "e"),
            "Gr\xF6\xDF"
            "e");
  for (const std::string& text :
       {std::string("\0", 1), std::string("a\0b c d", 7), std::string("ja"),
        std::string()})
    EXPECT_EQ(DecodedText(text), text);
}

TEST(LinesOf, DecodesUtf16) {
  EXPECT_THAT(LinesOf(Utf16(u"\uFEFFja\r\nnein\n", true)),
              ElementsAre("ja", "nein"));
}

}  // namespace
}  // namespace keylens
