#include "systems/generator/emoji/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "src/base/file.h"
#include "systems/generator/emoji/emoji_data.h"

namespace keylens {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

const std::vector<EmojiPicture>& Pictures() {
  static const auto* pictures =
      new std::vector<EmojiPicture>(ListEmojiPictures());
  return *pictures;
}

std::u32string KeyOf(const EmojiPicture& picture) {
  return WithoutVariationSelectors(picture.emoji.sequence);
}

std::set<std::u32string> TrainingSequences() {
  std::set<std::u32string> sequences;
  for (const EmojiPicture& picture : Pictures()) {
    if (!picture.held_out) sequences.insert(KeyOf(picture));
  }
  return sequences;
}

// The list is a file, so that no change of the rule goes unseen: figures of
// models trained before and after would not compare.
TEST(SplitTest, IsTheOneOnRecord) {
  std::istringstream record(
      ReadFile(KEYLENS_SOURCE_DIR "/tests/emoji/held_out.txt"));
  std::set<std::string> expected;
  for (std::string line; std::getline(record, line);) expected.insert(line);
  std::set<std::string> held_out;
  for (const EmojiPicture& picture : Pictures()) {
    if (picture.held_out) held_out.insert(ToUtf8(picture.emoji.sequence));
  }
  EXPECT_EQ(held_out, expected);
  EXPECT_THAT(held_out.size(), AllOf(Ge(140), Le(170)));
}

TEST(SplitTest, EveryPartOccursInTraining) {
  const std::set<std::u32string> training = TrainingSequences();
  for (const EmojiPicture& picture : Pictures()) {
    if (!picture.held_out) continue;
    EXPECT_GE(picture.held_out->parts.size(), 2) << picture.caption;
    for (const Part& part : picture.held_out->parts) {
      size_t seen = 0;
      for (const auto& sequence : part.shown_by) {
        seen += training.count(sequence);
      }
      EXPECT_GE(seen, std::min<size_t>(3, part.shown_by.size()))
          << picture.caption << ": " << part.what;
    }
  }
}

TEST(SplitTest, NoPartIsShownByTheEmojiItself) {
  for (const EmojiPicture& picture : Pictures()) {
    if (!picture.held_out) continue;
    for (const Part& part : picture.held_out->parts) {
      EXPECT_EQ(std::ranges::count(part.shown_by, KeyOf(picture)), 0)
          << picture.caption;
    }
  }
}

TEST(SplitTest, CoversTheKinds) {
  std::map<std::string, int> kinds;
  for (const EmojiPicture& picture : Pictures()) {
    if (picture.held_out) ++kinds[picture.held_out->kind];
  }
  EXPECT_GE(kinds["role, gender and skin tone"], 50);
  EXPECT_GE(kinds["gesture or person and skin tone"], 20);
  EXPECT_GE(kinds["two people and two skin tones"], 15);
  EXPECT_GE(kinds["colour and shape"], 8);
  EXPECT_GE(kinds["clock"], 4);
  EXPECT_GE(kinds["family"], 3);
}

TEST(SplitTest, IgnoresVariationSelectors) {
  int with_selector = 0;
  for (const EmojiPicture& picture : Pictures()) {
    if (picture.emoji.sequence == KeyOf(picture)) continue;
    ++with_selector;
    EXPECT_EQ(FindHeldOut(KeyOf(picture)).has_value(),
              picture.held_out.has_value())
        << picture.caption;
  }
  EXPECT_GT(with_selector, 500);
}

TEST(SplitTest, TrainsOnEverythingThatIsNoCombination) {
  for (const std::u32string_view single :
       {U"❤️", U"🙂", U"🚀", U"🇫🇷", U"👋"}) {
    EXPECT_FALSE(FindHeldOut(single)) << ToUtf8(single);
  }
}

}  // namespace
}  // namespace keylens
