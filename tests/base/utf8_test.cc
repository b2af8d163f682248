#include "src/base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace keylens {
namespace {

// The encoding by the table of the Unicode standard (3-6), written out apart
// from the code under test.
std::string Encoded(char32_t code) {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 63))};
  if (code < 0x10000) {
    return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)),
            byte(0x80 | (code & 63))};
  }
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)),
          byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
}

TEST(Utf8, EveryScalarValueGoesThereAndBack) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(code, text);
    ASSERT_EQ(text, Encoded(code)) << std::hex << static_cast<uint32_t>(code);
    const Utf8Character character = DecodeUtf8(text + "x", 0);
    ASSERT_TRUE(character.valid);
    ASSERT_EQ(character.code, code);
    ASSERT_EQ(character.length, text.size());
  }
}

void ExpectInvalid(std::string_view text) {
  const Utf8Character character = DecodeUtf8(text, 0);
  EXPECT_FALSE(character.valid);
  EXPECT_EQ(character.length, 1u);
  EXPECT_EQ(character.code, kReplacementCharacter);
  EXPECT_FALSE(IsUtf8(text));
}

TEST(Utf8, RefusesWhatIsNotACharacter) {
  ExpectInvalid("\x80");              // a continuation alone
  ExpectInvalid("\xC3");              // cut short
  ExpectInvalid("\xE2\x82");          // likewise
  ExpectInvalid("\xF0\x9F\x98");      // likewise
  ExpectInvalid("\xC3(");             // no continuation
  ExpectInvalid("\xC0\xAF");          // overlong
  ExpectInvalid("\xE0\x80\xAF");      // overlong
  ExpectInvalid("\xF0\x80\x80\xAF");  // overlong
  ExpectInvalid("\xED\xA0\x80");      // a surrogate
  ExpectInvalid("\xF4\x90\x80\x80");  // over U+10FFFF
  ExpectInvalid("\xF8\x88\x80\x80\x80");
  ExpectInvalid("\xFF");
}

TEST(Utf8, ReplacesByteByByte) {
  EXPECT_TRUE(IsUtf8("Gr\u00FC\u00DFe \U0001F600"));
  EXPECT_EQ(ToValidUtf8("Gr\u00FC\u00DFe"), "Gr\u00FC\u00DFe");
  EXPECT_EQ(ToValidUtf8("a\xE2\x82z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(ToValidUtf8(""), "");
}

}  // namespace
}  // namespace keylens
