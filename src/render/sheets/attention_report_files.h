#ifndef KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_FILES_H_
#define KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_FILES_H_

#include <filesystem>
#include <string>

#include "src/image/image.h"
#include "src/render/report/attention_report.h"

// An AttentionReport as a picture, and as a file of any format. Each throws
// std::invalid_argument for a report that CheckReport refuses.
//
// The pictures show each panel's mean map large, and below it, a row for each
// layer, the mean of the layer and every head; queries go down, keys across,
// and one scale holds for all. Cells are squares of 26 pixels (16 in the maps
// of heads) that shrink with the number of words, to 2 pixels at least. Labels
// keep their size: where cells are lower than a line of text only every second,
// third, ... word is written, with a tick, and long words are cut with an
// ellipsis. Where one axis is a picture and the other at most 40 words, the
// maps are drawn over the picture (picture_sheet.h). Steps are shown by their
// mean, long sequences by their pooled maps.

namespace keylens::render {

// What the names of such files end in, for help texts.
inline constexpr const char* kFormatsText = ".png, .svg, .html, .json or .npy";

// What a file by that name is good for, so that nobody else knows extensions.
struct ReportTraits {
  // A still picture: shows means, not every step and head.
  bool picture = false;
  // A page for a browser: shows all, but is loaded whole.
  bool page = false;
  // Arrays for programs, maybe several files.
  bool arrays = false;
};

// Throws Error as WriteAttentionReport does for a name of no known format.
ReportTraits TraitsOf(const std::filesystem::path& path);

// Writes the report in the format that the name's extension stands for: .svg,
// .png, .html, .json or .npy, in letters of either case. A file appears whole
// or not at all. Arrays of a report with several panels or named maps go to a
// file each (attention_report_npy.h names them). Throws Error, naming the file,
// for another extension and for what the file system or the format (a PNG of
// too many pixels) refuses.
void WriteAttentionReport(const AttentionReport& report,
                          const std::filesystem::path& path);

// Throws Error as WriteAttentionReport does for such a name, before there is
// anything to write.
void CheckReportPath(const std::filesystem::path& path);

// The picture, RGB. Throws Error when it would have more than kMaxPixels.
Image DrawAttentionReport(const AttentionReport& report);

// The same picture as an SVG document: text is <text>, in the viewer's sans
// serif, and every map is a group with a <title>. Cells are vectors; those
// smaller than 4 pixels an embedded PNG.
std::string AttentionReportSvg(const AttentionReport& report);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_FILES_H_
