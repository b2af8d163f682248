#include "src/render/sheets/report_style.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "src/render/draw/text_fit.h"

namespace keylens::render {
namespace {

constexpr TextStyle kNameStyle = {.size = 16, .bold = true, .colour = kInk};
constexpr int kNameLine = 26;

}  // namespace

void AddText(std::string text, double x, double middle, const TextStyle& style,
             Drawing& drawing) {
  drawing.elements.emplace_back(
      Drawing::Text{std::move(text), x, middle, 0, style});
}

void AddFrame(const Box& box, Drawing& drawing) {
  drawing.elements.emplace_back(Drawing::Fill{
      {box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kFrame});
}

int DrawPanelHeading(const AttentionPanel& panel, const std::string& axes,
                     const std::string& map, Drawing& drawing) {
  AddText(ShortenText(panel.name, kNarrowest, kNameStyle), kMargin,
          kNameLine / 2.0, kNameStyle, drawing);
  int y = kNameLine;
  for (const std::string& line : {axes, map}) {
    AddText(ShortenText(line, kNarrowest, kNoteStyle), kMargin, y + kLine / 2.0,
            kNoteStyle, drawing);
    y += kLine;
  }
  return y + kGap / 2;
}

std::string DescribeMean(const AttentionPanel& panel) {
  const std::string mean = DescribeMap(panel, {});
  return panel.steps == 1 ? mean
                          : fmt::format("{}, over {} steps", mean, panel.steps);
}

std::string NameOfLayer(const AttentionPanel& panel, int layer) {
  return panel.layers == 1 ? "heads" : fmt::format("layer {}", layer + 1);
}

std::string DescribeNamedMap(const AttentionPanel& panel, const NamedMap& map) {
  return fmt::format("{} (colours from 0 to {:.3g})", map.name,
                     ScaleTop(panel, map));
}

Caption CaptionOf(const AttentionPanel& panel, const MapChoice& choice) {
  if (!choice.head) return {fmt::format("mean of {} heads", panel.heads), ""};
  Caption caption = {fmt::format("head {}", *choice.head + 1), ""};
  if (panel.statistics.empty()) return caption;
  const auto index =
      static_cast<std::size_t>(*choice.layer) * panel.heads + *choice.head;
  const HeadStatistics& head = panel.statistics[index];
  caption.detail =
      fmt::format("{} · {:.2f} nats",
                  NameOf(KindOf(head, panel.self_attention)), head.entropy);
  return caption;
}

}  // namespace keylens::render
