#include "src/render/draw/text.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "src/render/report/printable_text.h"

namespace keylens {
namespace {

// Grey antialiasing and no hinting: text looks the same on a sheet whatever the
// desktop's settings.
void SetRendering(PangoContext* context) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
}

PangoPtr<PangoLayout> MakeLayout(std::string_view text,
                                 const TextStyle& style) {
  // Loading fonts is slow: every thread keeps its map.
  thread_local const PangoPtr<PangoFontMap> font_map(
      pango_cairo_font_map_new());
  const PangoPtr<PangoContext> context(
      pango_font_map_create_context(font_map.get()));
  SetRendering(context.get());
  PangoPtr<PangoLayout> layout(pango_layout_new(context.get()));
  const PangoPtr<PangoFontDescription> font(pango_font_description_new());
  pango_font_description_set_family(font.get(), "sans");
  pango_font_description_set_absolute_size(font.get(),
                                           style.size * PANGO_SCALE);
  if (style.bold) {
    pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
  }
  pango_layout_set_font_description(layout.get(), font.get());
  const std::string printable = PrintableText(text);
  pango_layout_set_text(layout.get(), printable.data(),
                        static_cast<int>(printable.size()));
  return layout;
}

void LimitTo(PangoLayout* layout, double width, int max_lines) {
  pango_layout_set_width(layout, static_cast<int>(width * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height(layout, -max_lines);
}

// How the lines of a wrapped text stand to each other.
PangoAlignment ToPango(Align align) {
  switch (align) {
    case Align::kLeft:
      return PANGO_ALIGN_LEFT;
    case Align::kCentre:
      return PANGO_ALIGN_CENTER;
    case Align::kRight:
      return PANGO_ALIGN_RIGHT;
  }
  return PANGO_ALIGN_LEFT;
}

}  // namespace

double ShareOfRoom(Align align) {
  switch (align) {
    case Align::kLeft:
      return 0;
    case Align::kCentre:
      return 0.5;
    case Align::kRight:
      return 1;
  }
  return 0;
}

void DrawText(const Canvas& canvas, std::string_view text, const Box& box,
              const TextStyle& style) {
  const PangoPtr<PangoLayout> layout = MakeLayout(text, style);
  LimitTo(layout.get(), box.width, style.max_lines);
  pango_layout_set_alignment(layout.get(), ToPango(style.align));
  PangoRectangle extent;
  pango_layout_get_extents(layout.get(), nullptr, &extent);
  const double width = static_cast<double>(extent.width) / PANGO_SCALE;
  const double height = static_cast<double>(extent.height) / PANGO_SCALE;
  const double left = static_cast<double>(extent.x) / PANGO_SCALE;
  cairo_t* context = canvas.context();
  cairo_save(context);
  cairo_set_source_rgb(context, style.colour.red / 255.0,
                       style.colour.green / 255.0, style.colour.blue / 255.0);
  cairo_move_to(context,
                box.x - left + (box.width - width) * ShareOfRoom(style.align),
                std::round(box.y + (box.height - height) / 2));
  pango_cairo_show_layout(context, layout.get());
  cairo_restore(context);
}

double MeasureText(std::string_view text, const TextStyle& style) {
  const PangoPtr<PangoLayout> layout = MakeLayout(text, style);
  PangoRectangle extent;
  pango_layout_get_extents(layout.get(), nullptr, &extent);
  return std::max(1.0, static_cast<double>(extent.width) / PANGO_SCALE);
}

int CountLines(std::string_view text, double width, const TextStyle& style) {
  const PangoPtr<PangoLayout> layout = MakeLayout(text, style);
  LimitTo(layout.get(), width, style.max_lines);
  return std::clamp(pango_layout_get_line_count(layout.get()), 1,
                    style.max_lines);
}

}  // namespace keylens
