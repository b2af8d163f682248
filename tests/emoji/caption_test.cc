#include "systems/generator/emoji/caption.h"

#include <gtest/gtest.h>

namespace keylens {
namespace {

TEST(CaptionTest, LeavesPlainNames) {
  EXPECT_EQ(CaptionOf("red heart"), "red heart");
  EXPECT_EQ(CaptionOf("smiling face with heart-eyes"),
            "smiling face with heart-eyes");
}

TEST(CaptionTest, WritesListsWithCommas) {
  EXPECT_EQ(CaptionOf("woman firefighter: medium-dark skin tone"),
            "woman firefighter, medium-dark skin tone");
  EXPECT_EQ(CaptionOf("kiss: woman, man, light skin tone, dark skin tone"),
            "kiss, woman, man, light skin tone, dark skin tone");
}

TEST(CaptionTest, SpeaksOfFlagsAndKeysAsPeopleDo) {
  EXPECT_EQ(CaptionOf("flag: Antigua & Barbuda"),
            "flag of Antigua and Barbuda");
  EXPECT_EQ(CaptionOf("keycap: #"), "keycap #");
}

TEST(CaptionTest, UsesTheSignsOfAKeyboard) {
  EXPECT_EQ(CaptionOf("twelve o’clock"), "twelve o'clock");
  EXPECT_EQ(CaptionOf("Japanese “here” button"), "Japanese \"here\" button");
}

}  // namespace
}  // namespace keylens
