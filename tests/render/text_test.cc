#include "src/render/draw/text.h"

#include <gtest/gtest.h>

#include <string>

#include "src/render/draw/paint.h"
#include "tests/render/pixels.h"

namespace keylens {
namespace {

Image DrawOnWhite(std::string_view text, const Box& box,
                  const TextStyle& style) {
  const Canvas canvas(300, 60);
  FillBox(canvas, {0, 0, 300, 60}, {255, 255, 255});
  DrawText(canvas, text, box, style);
  return canvas.ToImage();
}

constexpr Box kBox = {50, 10, 200, 40};

TEST(TextTest, DrawsEveryScriptInItsBox) {
  for (const char* text :
       {"heart", "Größe", "слово", "العربية", "漢字", "🙂", "⟨start⟩"}) {
    const Image drawn = DrawOnWhite(text, kBox, {});
    EXPECT_GT(CountInk(drawn, kBox), 20) << text;
    EXPECT_EQ(CountInk(drawn, kBox), CountInk(drawn, {0, 0, 300, 60})) << text;
  }
}

TEST(TextTest, AlignsToTheSidesInEveryScript) {
  const Box left = {50, 10, 90, 40}, middle = {105, 10, 90, 40},
            right = {160, 10, 90, 40};
  for (const char* text : {"heart", "العربية"}) {
    const auto ink = [&](Align align, const Box& box) {
      const Image drawn = DrawOnWhite(text, kBox, {.align = align});
      return CountInk(drawn, box) == CountInk(drawn, kBox);
    };
    EXPECT_TRUE(ink(Align::kLeft, left)) << text;
    EXPECT_TRUE(ink(Align::kCentre, middle)) << text;
    EXPECT_TRUE(ink(Align::kRight, right)) << text;
  }
}

TEST(TextTest, ShortensWhatIsTooLong) {
  const std::string word(200, 'm');
  const Image drawn = DrawOnWhite(word, kBox, {});
  EXPECT_EQ(CountInk(drawn, kBox), CountInk(drawn, {0, 0, 300, 60}));
  // The dots of the ellipsis reach near the right side.
  EXPECT_GT(CountInk(drawn, {220, 10, 30, 40}), 5);
  EXPECT_EQ(CountLines(word, 200, {}), 1);
}

TEST(TextTest, WrapsUpToTheLinesAllowed) {
  const std::string text = "one two three four five six seven eight nine ten";
  EXPECT_EQ(CountLines("one", 100, {.max_lines = 3}), 1);
  EXPECT_EQ(CountLines("", 100, {.max_lines = 3}), 1);
  EXPECT_EQ(CountLines(text, 1000, {.max_lines = 3}), 1);
  EXPECT_EQ(CountLines(text, 100, {.max_lines = 3}), 3);
}

TEST(TextTest, TakesBrokenTextAndControls) {
  EXPECT_GT(CountInk(DrawOnWhite("a\xFF\xC3", kBox, {}), kBox), 20);
  const std::string with_nul("a\0b\nc", 5);
  EXPECT_EQ(MeasureText(with_nul, {}), MeasureText("a b c", {}));
}

TEST(TextTest, MeasuresWhatItDraws) {
  EXPECT_GT(MeasureText("heart heart", {}), 1.9 * MeasureText("heart", {}));
  EXPECT_NEAR(MeasureText("heart", {.size = 28}),
              2 * MeasureText("heart", {.size = 14}), 2);
}

}  // namespace
}  // namespace keylens
