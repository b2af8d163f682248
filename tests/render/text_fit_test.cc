#include "src/render/draw/text_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/render/report/printable_text.h"

namespace keylens {
namespace {

using testing::ElementsAre;

TEST(PrintableTextTest, HasNothingThatCommandsOrThatXmlForbids) {
  EXPECT_EQ(PrintableText("Größe 漢字 🙂"), "Größe 漢字 🙂");
  EXPECT_EQ(PrintableText("a\tb\nc\x1b[0m\x7f"), "a b c [0m ");
  EXPECT_EQ(PrintableText("a\u0085b\u2028c"), "a b c");
  EXPECT_EQ(PrintableText("\u202Ea\u2069"), "a");
  EXPECT_EQ(PrintableText("\xff\uFFFE"), "\uFFFD\uFFFD");
}

TEST(ShortenTextTest, CutsWhatIsTooLongBetweenCharacters) {
  const TextStyle style = {.size = 12};
  EXPECT_EQ(ShortenText("short", 200, style), "short");
  const std::string astronaut = "👩‍🚀";
  std::string astronauts;
  for (int i = 0; i < 7; ++i) astronauts += astronaut;
  for (const std::string& text :
       {std::string("Donaudampfschifffahrtsgesellschaft"),
        std::string("漢字漢字漢字漢字漢字漢字"), astronauts}) {
    const std::string cut = ShortenText(text, 80, style);
    EXPECT_LE(MeasureText(cut, style), 80);
    EXPECT_GT(MeasureText(cut, style), 40);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_TRUE(text.starts_with(cut.substr(0, cut.size() - 3)));
  }
  // A joined emoji is one character: it is whole or not there.
  const std::string cut = ShortenText(astronauts, 80, style);
  EXPECT_EQ((cut.size() - 3) % astronaut.size(), 0);
  EXPECT_EQ(ShortenText("wide", 1, style), "…");
}

TEST(BreakTextTest, FillsLinesWithWords) {
  const TextStyle style = {.size = 12, .max_lines = 3};
  const double width = MeasureText("one two three", style) + 1;
  EXPECT_THAT(BreakText("one two three four five", width, style),
              ElementsAre("one two three", "four five"));
  EXPECT_THAT(BreakText("", width, style), ElementsAre(""));
  const std::vector<std::string> cut = BreakText(
      "one two three four five six seven eight nine ten", width, style);
  ASSERT_EQ(cut.size(), 3);
  EXPECT_TRUE(cut[2].ends_with("…"));
  for (const std::string& line : cut)
    EXPECT_LE(MeasureText(line, style), width);
}

}  // namespace
}  // namespace keylens
