#include "src/render/draw/canvas.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/render/draw/paint.h"
#include "tests/render/pixels.h"

namespace keylens {
namespace {

TEST(CanvasTest, IsTransparentAtFirst) {
  const Image image = Canvas(3, 2).ToImage();
  EXPECT_EQ(image.width, 3);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.channels, 4);
  EXPECT_EQ(image.pixels, std::vector<uint8_t>(3 * 2 * 4, 0));
}

TEST(CanvasTest, GivesStraightAlpha) {
  const Canvas canvas(1, 1);
  cairo_set_source_rgba(canvas.context(), 1.0, 0.4, 0.0, 0.5);
  cairo_paint(canvas.context());
  const Image image = canvas.ToImage();
  EXPECT_EQ(image.pixels[0], 255);
  EXPECT_NEAR(image.pixels[1], 102, 1);
  EXPECT_EQ(image.pixels[2], 0);
  EXPECT_EQ(image.pixels[3], 128);
}

TEST(CanvasTest, PaintsPicturesPixelByPixel) {
  Image image{.width = 2, .height = 1, .channels = 4, .pixels = {}};
  image.pixels = {200, 100, 50, 255, 0, 0, 255, 0};
  const Canvas canvas(4, 3);
  FillBox(canvas, {0, 0, 4, 3}, {10, 20, 30});
  PaintImage(canvas, image, 1, 2);
  const Image drawn = canvas.ToImage();
  EXPECT_EQ(ColourOf(drawn, 1, 2), (Colour{200, 100, 50}));
  EXPECT_EQ(ColourOf(drawn, 2, 2), (Colour{10, 20, 30}));
  EXPECT_EQ(ColourOf(drawn, 1, 1), (Colour{10, 20, 30}));
}

TEST(CanvasTest, TakesGreyAndRgb) {
  const Image grey{.width = 1, .height = 1, .channels = 1, .pixels = {77}};
  const Image rgb{.width = 1, .height = 1, .channels = 3, .pixels = {1, 2, 3}};
  const Canvas canvas(2, 1);
  PaintImage(canvas, grey, 0, 0);
  PaintImage(canvas, rgb, 1, 0);
  const Image drawn = canvas.ToImage();
  EXPECT_EQ(ColourOf(drawn, 0, 0), (Colour{77, 77, 77}));
  EXPECT_EQ(ColourOf(drawn, 1, 0), (Colour{1, 2, 3}));
}

TEST(CanvasTest, RefusesSizesThatCannotBe) {
  EXPECT_THROW(Canvas(0, 5), Error);
  EXPECT_THROW(Canvas(5, -1), Error);
  EXPECT_THROW(Canvas(40000, 5), Error);
}

}  // namespace
}  // namespace keylens
