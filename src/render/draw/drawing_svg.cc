#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

#include "src/render/draw/drawing.h"
#include "src/render/report/base64.h"
#include "src/render/report/printable_text.h"

namespace keylens::render {
namespace {

// From the middle of a line of text down to its baseline, in ems: half the
// height of a capital letter, which every sans serif has near 0.72 em.
constexpr double kBaseline = 0.36;

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : PrintableText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Hex(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green,
                     colour.blue);
}

// Places on a tenth of a pixel, without digits that say nothing.
std::string Place(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string_view Anchor(Align align) {
  switch (align) {
    case Align::kLeft:
      return "";
    case Align::kCentre:
      return " text-anchor=\"middle\"";
    case Align::kRight:
      return " text-anchor=\"end\"";
  }
  return "";
}

std::string Svg(const Drawing::Fill& fill) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
      Place(fill.box.x), Place(fill.box.y), Place(fill.box.width),
      Place(fill.box.height), Hex(fill.colour));
}

std::string Svg(const Drawing::Text& text) {
  const double drop = kBaseline * text.style.size;
  const std::string place =
      text.angle == 0
          ? fmt::format("x=\"{}\" y=\"{}\"", Place(text.x),
                        Place(text.y + drop))
          : fmt::format("transform=\"translate({} {}) rotate({})\" y=\"{}\"",
                        Place(text.x), Place(text.y), Place(text.angle),
                        Place(drop));
  return fmt::format(
      "<text {} font-size=\"{}\"{}{} fill=\"{}\">{}</text>\n", place,
      Place(text.style.size), text.style.bold ? " font-weight=\"bold\"" : "",
      Anchor(text.style.align), Hex(text.style.colour), Escape(text.text));
}

struct ByChannels {
  bool operator()(Colour a, Colour b) const {
    return std::tie(a.red, a.green, a.blue) < std::tie(b.red, b.green, b.blue);
  }
};

// The cells of each colour as the data of one path; cells of one colour side by
// side are one rectangle.
std::map<Colour, std::string, ByChannels> PathsOf(const Drawing::Cells& cells) {
  std::map<Colour, std::string, ByChannels> paths;
  for (int row = 0; row < cells.rows; ++row) {
    const Colour* colours =
        &cells.colours[static_cast<std::size_t>(row) * cells.cols];
    for (int col = 0, next = 0; col < cells.cols; col = next) {
      while (next < cells.cols && colours[next] == colours[col]) ++next;
      const int width = (next - col) * cells.cell_width;
      paths[colours[col]] += fmt::format(
          "M{} {}h{}v{}h-{}z", cells.x + col * cells.cell_width,
          cells.y + row * cells.cell_height, width, cells.cell_height, width);
    }
  }
  return paths;
}

std::string VectorCells(const Drawing::Cells& cells) {
  std::string svg;
  for (const auto& [colour, path] : PathsOf(cells)) {
    svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", Hex(colour), path);
  }
  return svg;
}

std::string EmbeddedPng(const Image& image, const Box& box,
                        std::string_view rendering) {
  return fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
      "preserveAspectRatio=\"none\"{} "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      box.x, box.y, box.width, box.height, rendering, Base64(EncodePng(image)));
}

std::string EmbeddedCells(const Drawing::Cells& cells) {
  Image image{
      .width = cells.cols, .height = cells.rows, .channels = 3, .pixels = {}};
  for (const Colour colour : cells.colours) {
    image.pixels.insert(image.pixels.end(),
                        {colour.red, colour.green, colour.blue});
  }
  const Box box = {double(cells.x), double(cells.y),
                   double(cells.cols) * cells.cell_width,
                   double(cells.rows) * cells.cell_height};
  return EmbeddedPng(image, box, " style=\"image-rendering:pixelated\"");
}

std::string Svg(const Drawing::Cells& cells) {
  const bool vectors = cells.cell_width >= kSmallestVectorCell &&
                       cells.cell_height >= kSmallestVectorCell;
  return fmt::format(
      "<g shape-rendering=\"crispEdges\"><title>{}</title>\n{}</g>\n",
      Escape(cells.name), vectors ? VectorCells(cells) : EmbeddedCells(cells));
}

std::string Svg(const Drawing::Picture& picture) {
  const Box box = {double(picture.x), double(picture.y),
                   double(picture.image.width), double(picture.image.height)};
  return fmt::format("<g><title>{}</title>\n{}</g>\n", Escape(picture.name),
                     EmbeddedPng(picture.image, box, ""));
}

}  // namespace

std::string DrawingSvg(const Drawing& drawing, const std::string& title) {
  std::string svg = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, "
      "Verdana, sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      drawing.width, drawing.height, Escape(title));
  for (const auto& element : drawing.elements) {
    svg += std::visit([](const auto& shape) { return Svg(shape); }, element);
  }
  return svg + "</svg>\n";
}

}  // namespace keylens::render
