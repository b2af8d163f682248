#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_PAINTER_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_PAINTER_H_

#include <optional>
#include <string>

#include "src/image/image.h"
#include "src/render/draw/canvas.h"

namespace keylens {

// Draws emoji with Noto Color Emoji, shaped by Pango so that joined sequences
// become one picture.
//
// The font's pictures are bitmaps of 136 x 128 pixels, of which the outer four
// columns on either side are empty. The 128 x 128 in the middle become 64 x 64
// by averaging squares of 2 x 2: every emoji to the same scale, with nothing
// cut off, and as sharp as 64 pixels allow.
class EmojiPainter {
 public:
  static constexpr int kSide = 64;  // pixels of a picture, each way

  // Throws Error, naming the Debian package, when the font is not installed or
  // is not the bitmap font.
  EmojiPainter();

  // The emoji `utf8` on a transparent ground, RGBA with straight alpha, kSide x
  // kSide; nothing when the font does not draw it as one glyph.
  std::optional<Image> Draw(const std::string& utf8);

 private:
  PangoPtr<PangoFontMap> font_map_;
  PangoPtr<PangoContext> context_;
  PangoPtr<PangoLayout> layout_;
};

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_PAINTER_H_
