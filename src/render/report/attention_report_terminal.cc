#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "src/render/report/attention_report_outputs.h"
#include "src/render/report/colour_map.h"
#include "src/render/report/printable_text.h"
#include "src/render/report/terminal_columns.h"

namespace keylens::render {
namespace {

constexpr int kNarrowestKey = 4;  // a percent and a space
constexpr int kWidestKey = 14;
constexpr int kWidestQuery = 20;
constexpr int kScaleColumns = 24;
constexpr std::string_view kReset = "\x1b[0m";

// `count` times the shade of a share of the scale, for want of colours.
std::string Shade(float share, int count) {
  constexpr std::array<std::string_view, 5> kShades = {" ", "░", "▒", "▓", "█"};
  const float level = std::ceil(std::clamp(share, 0.0f, 1.0f) * 5 - 0.5f);
  const auto shade =
      kShades[static_cast<std::size_t>(std::clamp(level, 0.0f, 4.0f))];
  std::string text;
  for (int i = 0; i < count; ++i) text += shade;
  return text;
}

// Grounds from here on are dark enough for white writing.
constexpr float kDarkShare = 0.55f;

std::string ColourCodes(float share) {
  const Colour ground = HeatColour(share);
  const int ink = share > kDarkShare ? 255 : 34;
  return fmt::format("\x1b[48;2;{};{};{}m\x1b[38;2;{};{};{}m", ground.red,
                     ground.green, ground.blue, ink, ink, ink);
}

// One map and how it is shown.
class TerminalMap {
 public:
  TerminalMap(const AttentionPanel& panel, const TerminalStyle& style)
      : style_(style), map_(MapOf(panel, style.map)) {
    top_ = *std::ranges::max_element(map_);
    if (top_ <= 0) top_ = 1;
    for (const std::string& key : panel.keys)
      keys_.push_back(PrintableText(key));
    for (const std::string& query : panel.queries)
      queries_.push_back(PrintableText(query));
    MeasureLabels();
  }

  std::string Lines() const {
    std::string lines = Scale();
    for (std::size_t key = 0; key < keys_.size();) {
      const std::size_t end = EndOfBand(key);
      lines += '\n';
      lines += Band(key, end);
      key = end;
    }
    return lines;
  }

 private:
  void MeasureLabels() {
    for (const std::string& query : queries_)
      query_columns_ = std::max(query_columns_, TerminalColumns(query));
    query_columns_ = std::min(
        {query_columns_, kWidestQuery, std::max(1, style_.columns / 3)});
    const int widest = std::clamp(style_.columns - query_columns_ - 1,
                                  kNarrowestKey, kWidestKey);
    for (const std::string& key : keys_) {
      key_columns_.push_back(
          std::clamp(TerminalColumns(key) + 1, kNarrowestKey, widest));
    }
  }

  // The keys that fit beside each other, one at least.
  std::size_t EndOfBand(std::size_t first) const {
    int left = style_.columns - query_columns_ - 1 - key_columns_[first];
    std::size_t end = first + 1;
    while (end < keys_.size() && left >= key_columns_[end])
      left -= key_columns_[end++];
    return end;
  }

  std::string Band(std::size_t first, std::size_t end) const {
    std::string header(static_cast<std::size_t>(query_columns_) + 1, ' ');
    for (std::size_t key = first; key < end; ++key)
      header += FitColumns(keys_[key], key_columns_[key] - 1) + " ";
    header.erase(header.find_last_not_of(' ') + 1);
    std::string lines = header + "\n";
    for (std::size_t query = 0; query < queries_.size(); ++query) {
      lines += FitColumns(queries_[query], query_columns_, true) + " ";
      for (std::size_t key = first; key < end; ++key)
        lines += Block(map_[query * keys_.size() + key], key_columns_[key]);
      lines += style_.colour ? std::string(kReset) + "\n" : "\n";
    }
    return lines;
  }

  // A block with its percent in the middle, where that is not 0.
  std::string Block(float weight, int columns) const {
    const float share = weight / top_;
    const long percent = std::lround(100 * weight);
    const std::string number = percent > 0 ? fmt::format("{}", percent) : "";
    const int rest = columns - static_cast<int>(number.size());
    const int before = std::max(0, rest / 2),
              after = std::max(0, rest - before);
    if (!style_.colour)
      return Shade(share, before) + number + Shade(share, after);
    return ColourCodes(share) + std::string(before, ' ') + number +
           std::string(after, ' ');
  }

  std::string Scale() const {
    std::string ramp;
    const int columns = std::clamp(style_.columns - 24, 1, kScaleColumns);
    for (int i = 0; i < columns; ++i) {
      const float share =
          columns > 1 ? static_cast<float>(i) / static_cast<float>(columns - 1)
                      : 1.0f;
      ramp += style_.colour ? ColourCodes(share) + " " : Shade(share, 1);
    }
    if (style_.colour) ramp += kReset;
    return fmt::format("0 {} {:.3g} (in %)\n", ramp, 100 * top_);
  }

  TerminalStyle style_;
  std::vector<float> map_;
  float top_ = 1;
  std::vector<std::string> keys_, queries_;
  int query_columns_ = 1;
  std::vector<int> key_columns_;
};

}  // namespace

std::string AttentionInTerminal(const AttentionPanel& panel,
                                const TerminalStyle& style) {
  CheckPanel(panel, "AttentionInTerminal");
  const std::string heading =
      PrintableText(panel.name) + ": " + DescribeMap(panel, style.map);
  const std::string axes =
      PrintableText(panel.query_axis + " down, " + panel.key_axis + " across");
  std::string lines;
  for (const std::string& line : {heading, axes}) {
    std::string fitted = FitColumns(line, std::max(2, style.columns));
    fitted.erase(fitted.find_last_not_of(' ') + 1);
    lines += fitted + "\n";
  }
  return lines + TerminalMap(panel, style).Lines();
}

}  // namespace keylens::render
