#include "systems/generator/emoji/emoji_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace keylens {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::SizeIs;

constexpr std::string_view kList =
    "# emoji-test.txt\n"
    "\n"
    "# group: Smileys & Emotion\n"
    "# subgroup: heart\n"
    "2764 FE0F   ; fully-qualified     # ❤️ E0.6 red heart\r\n"
    "2764        ; unqualified         # ❤ E0.6 red heart\n"
    "# group: People & Body\n"
    "# subgroup: person-role\n"
    "1F469 1F3FE 200D 1F692 ; fully-qualified # 👩🏾‍🚒 E4.0 woman "
    "firefighter: "
    "medium-dark skin tone";

TEST(EmojiListTest, ReadsFullyQualifiedEmojiOnly) {
  const std::vector<Emoji> list = ParseEmojiList(kList, "list.txt");
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[0].sequence, U"\u2764\uFE0F");
  EXPECT_EQ(list[0].name, "red heart");
  EXPECT_EQ(list[0].group, "Smileys & Emotion");
  EXPECT_EQ(list[0].subgroup, "heart");
  EXPECT_EQ(list[1].sequence, U"\U0001F469\U0001F3FE\u200D\U0001F692");
  EXPECT_EQ(list[1].name, "woman firefighter: medium-dark skin tone");
  EXPECT_EQ(list[1].group, "People & Body");
}

void ExpectRefused(std::string_view text, const char* reason) {
  EXPECT_THAT([&] { ParseEmojiList(text, "list.txt"); },
              testing::Throws<Error>(Property(&Error::what, HasSubstr(reason))))
      << text;
}

TEST(EmojiListTest, NamesTheLineThatIsWrong) {
  ExpectRefused("# group: A\n1F600 fully-qualified # 😀 E1.0 face\n",
                "list.txt: line 2 ");
  ExpectRefused("1F600 ; fully-qualified\n", "line 1 ");
  ExpectRefused("XYZ ; fully-qualified # 😀 E1.0 face\n", "line 1 ");
  ExpectRefused("110000 ; fully-qualified # 😀 E1.0 face\n", "line 1 ");
  ExpectRefused("D800 ; fully-qualified # 😀 E1.0 face\n", "line 1 ");
  ExpectRefused("1F600 ; fully-qualified # 😀\n", "line 1 ");
  ExpectRefused("", "list.txt: there is no emoji in it");
}

TEST(EmojiListTest, ConvertsSequences) {
  EXPECT_EQ(ToUtf8(U"\u2764\uFE0F"), "❤️");
  EXPECT_EQ(WithoutVariationSelectors(U"\u2764\uFE0F"), U"\u2764");
}

}  // namespace
}  // namespace keylens
