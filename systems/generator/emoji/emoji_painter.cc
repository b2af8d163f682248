#include "systems/generator/emoji/emoji_painter.h"

#include <fmt/format.h>
#include <pango/pangocairo.h>

#include <array>
#include <cstring>

#include "src/base/error.h"

namespace keylens {
namespace {

constexpr const char* kFontFamily = "Noto Color Emoji";
constexpr const char* kFontPackage = "fonts-noto-color-emoji";
// At this size in pixels per em Cairo copies the font's bitmaps as they are.
constexpr int kFontSize = 109;
constexpr int kGlyphWidth = 136;
constexpr int kGlyphHeight = 128;
constexpr int kEmptyColumns = (kGlyphWidth - kGlyphHeight) / 2;

// The one glyph of a layout's first line; nothing when there are several, or
// none that the font knows.
const PangoGlyphItem* FindOnlyGlyph(PangoLayout* layout) {
  const PangoLayoutLine* line = pango_layout_get_line_readonly(layout, 0);
  if (line == nullptr || line->runs == nullptr || line->runs->next != nullptr) {
    return nullptr;
  }
  const auto* run = static_cast<const PangoGlyphItem*>(line->runs->data);
  if (run->glyphs->num_glyphs != 1) return nullptr;
  const PangoGlyph glyph = run->glyphs->glyphs[0].glyph;
  if (glyph == PANGO_GLYPH_EMPTY || (glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0) {
    return nullptr;
  }
  return run;
}

bool IsEmojiFont(PangoFont* font) {
  const PangoPtr<PangoFontDescription> description(pango_font_describe(font));
  const char* family = pango_font_description_get_family(description.get());
  return family != nullptr && std::strcmp(family, kFontFamily) == 0;
}

PangoRectangle InkOf(PangoLayout* layout) {
  PangoRectangle ink;
  pango_layout_get_pixel_extents(layout, &ink, nullptr);
  return ink;
}

// The average of four premultiplied pixels, as straight RGBA.
void AverageInto(const std::array<uint32_t, 4>& words, uint8_t* pixel) {
  uint32_t alpha = 0, red = 0, green = 0, blue = 0;
  for (const uint32_t word : words) {
    alpha += word >> 24;
    red += word >> 16 & 255;
    green += word >> 8 & 255;
    blue += word & 255;
  }
  const uint32_t average_alpha = (alpha + 2) / 4;
  if (average_alpha == 0) return;
  pixel[0] = static_cast<uint8_t>((red * 255 + alpha / 2) / alpha);
  pixel[1] = static_cast<uint8_t>((green * 255 + alpha / 2) / alpha);
  pixel[2] = static_cast<uint8_t>((blue * 255 + alpha / 2) / alpha);
  pixel[3] = static_cast<uint8_t>(average_alpha);
}

Image HalveInto(const Canvas& canvas) {
  constexpr int kSide = EmojiPainter::kSide;
  Image image{.width = kSide, .height = kSide, .channels = 4, .pixels = {}};
  image.pixels.resize(size_t{kSide} * kSide * 4);
  uint8_t* pixel = image.pixels.data();
  for (int y = 0; y < kSide; ++y) {
    const uint32_t* upper = canvas.Row(2 * y);
    const uint32_t* lower = canvas.Row(2 * y + 1);
    for (int x = 0; x < 2 * kSide; x += 2, pixel += 4) {
      AverageInto({upper[x], upper[x + 1], lower[x], lower[x + 1]}, pixel);
    }
  }
  return image;
}

}  // namespace

EmojiPainter::EmojiPainter()
    : font_map_(pango_cairo_font_map_new()),
      context_(pango_font_map_create_context(font_map_.get())),
      layout_(pango_layout_new(context_.get())) {
  const PangoPtr<PangoFontDescription> font(pango_font_description_new());
  pango_font_description_set_family(font.get(), kFontFamily);
  pango_font_description_set_absolute_size(font.get(), kFontSize * PANGO_SCALE);
  pango_layout_set_font_description(layout_.get(), font.get());

  pango_layout_set_text(layout_.get(), "🙂", -1);
  const PangoGlyphItem* glyph = FindOnlyGlyph(layout_.get());
  if (glyph == nullptr || !IsEmojiFont(glyph->item->analysis.font)) {
    throw Error(fmt::format(
        "the font {} is not installed; install the Debian package {}",
        kFontFamily, kFontPackage));
  }
  const PangoRectangle ink = InkOf(layout_.get());
  if (ink.width != kGlyphWidth || ink.height != kGlyphHeight) {
    throw Error(fmt::format(
        "the font {} has pictures of {} x {} pixels instead of {} x {}; "
        "install the one of the Debian package {}",
        kFontFamily, ink.width, ink.height, kGlyphWidth, kGlyphHeight,
        kFontPackage));
  }
}

std::optional<Image> EmojiPainter::Draw(const std::string& utf8) {
  pango_layout_set_text(layout_.get(), utf8.data(),
                        static_cast<int>(utf8.size()));
  const PangoGlyphItem* glyph = FindOnlyGlyph(layout_.get());
  if (glyph == nullptr || !IsEmojiFont(glyph->item->analysis.font)) {
    return std::nullopt;
  }
  const PangoRectangle ink = InkOf(layout_.get());
  const Canvas canvas(2 * kSide, 2 * kSide);
  cairo_move_to(canvas.context(), -ink.x - kEmptyColumns, -ink.y);
  pango_cairo_show_layout(canvas.context(), layout_.get());
  return HalveInto(canvas);
}

}  // namespace keylens
