#ifndef KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_OUTPUTS_H_
#define KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_OUTPUTS_H_

#include <string>

#include "src/render/report/attention_report.h"

// The outputs of an AttentionReport. Each throws std::invalid_argument for a
// report that CheckReport refuses. Files and
// pictures: src/render/sheets/attention_report_files.h.

namespace keylens::render {

// One JSON object on one line:
//   format          "keylens attention report"
//   version         2
//   title, notes
//   quantity        what the weights are: "attention weight", "share"
//   scale_top       the weight that pictures give the last colour
//   panels          for each: name, query_axis, key_axis, queries, keys,
//                   self_attention, steps, layers, heads,
//                   mean [queries][keys],
//                   mean_over_heads [layers][queries][keys] (over steps, too),
//                   weights [steps][layers][heads][queries][keys],
//                   and where the panel has them:
//     step_names
//     statistics      [layers][heads], HeadStatistics by name, and kind
//     query_picture, key_picture   rows, cols, first, width, height, and the
//                     picture as a PNG in base64
//     named_maps      for each: name, scale_top, weights [queries][keys]
//     long_sequences  LongSequences by name, with a scale_top for each
//                     level, and where known top_count, top_keys and
//                     top_weights [layers][heads][query_count][top_count]
// Numbers have 5 significant digits. Bytes of labels that are not UTF-8 become
// U+FFFD.
std::string AttentionReportJson(const AttentionReport& report);

// One HTML page with everything in it (data, style, script), which loads
// nothing: an overview of layers and heads with the kind and entropy of each,
// and of named maps; the chosen map with its words on both axes, or over the
// picture; words and places linked under the mouse both ways; a slider for
// steps; closer looks into long sequences, and the heaviest keys of a query; by
// keyboard too, in light and dark, and on paper.
std::string AttentionReportHtml(const AttentionReport& report);

struct TerminalStyle {
  bool colour = true;  // 24-bit colours; otherwise shades made of characters
  int columns = 80;    // no line takes more, unless a single key needs them
  MapChoice map = {};  // by default the mean of all layers and heads
};

// One map of a panel, as lines of text that end in a line feed: what it is, the
// keys across, a row of blocks for each query with its percent. Keys that do
// not fit the columns follow in further blocks of rows. The top of the scale is
// the map's largest weight. Control characters of labels, which a terminal
// would obey, are left out.
std::string AttentionInTerminal(const AttentionPanel& panel,
                                const TerminalStyle& style);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_OUTPUTS_H_
