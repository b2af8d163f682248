#ifndef KEYLENS_SRC_RENDER_SHEETS_REPORT_STYLE_H_
#define KEYLENS_SRC_RENDER_SHEETS_REPORT_STYLE_H_

#include <string>

#include "src/render/draw/drawing.h"
#include "src/render/draw/text.h"
#include "src/render/report/attention_report.h"

// What the sheets of a report share: colours, letters, distances, the heading
// of a panel. Pixels throughout.

namespace keylens::render {

inline constexpr Colour kInk = {34, 34, 34};
inline constexpr Colour kQuiet = {110, 110, 110};
inline constexpr Colour kFrame = {200, 200, 200};

inline constexpr TextStyle kNoteStyle = {.size = 12.5, .colour = kQuiet};
inline constexpr TextStyle kLayerStyle = {
    .size = 13, .bold = true, .colour = kInk};
inline constexpr TextStyle kCaptionStyle = {.size = 11.5, .colour = kQuiet};

inline constexpr int kMargin = 32;
inline constexpr int kNarrowest = 640;  // of what is between the margins
inline constexpr int kLine = 19;        // notes, captions
inline constexpr int kGap = 14;         // between maps

// One line of text; `middle` is the middle of its height.
void AddText(std::string text, double x, double middle, const TextStyle& style,
             Drawing& drawing);

// A line of one pixel around what is drawn in the box next.
void AddFrame(const Box& box, Drawing& drawing);

// The panel's name and, in quiet lines, its axes and `map`, from the top of the
// drawing. Returns where they end.
int DrawPanelHeading(const AttentionPanel& panel, const std::string& axes,
                     const std::string& map, Drawing& drawing);

// "mean of 4 layers of 8 heads", and "over 20 steps" where there are some.
std::string DescribeMean(const AttentionPanel& panel);

// "layer 2"; "heads" where there is but one layer.
std::string NameOfLayer(const AttentionPanel& panel, int layer);

// "rollout (colours from 0 to 0.25)".
std::string DescribeNamedMap(const AttentionPanel& panel, const NamedMap& map);

// "head 3", and in the second line what is known of it: "broad · 2.41 nats".
// The second is empty for a mean, or without statistics.
struct Caption {
  std::string name, detail;
};
Caption CaptionOf(const AttentionPanel& panel, const MapChoice& choice);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_SHEETS_REPORT_STYLE_H_
