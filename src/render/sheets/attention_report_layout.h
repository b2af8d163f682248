#ifndef KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_LAYOUT_H_
#define KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_LAYOUT_H_

#include "src/render/draw/drawing.h"
#include "src/render/report/attention_report.h"

namespace keylens::render {

// The report's picture, as attention_report_files.h describes it. The name of
// each map's cells is the panel's name, ": ", and DescribeMap's words.
// Throws std::invalid_argument for a report that CheckReport refuses.
Drawing LayOutReport(const AttentionReport& report);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_SHEETS_ATTENTION_REPORT_LAYOUT_H_
