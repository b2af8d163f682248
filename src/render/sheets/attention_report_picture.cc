#include "src/render/draw/drawing.h"
#include "src/render/sheets/attention_report_files.h"
#include "src/render/sheets/attention_report_layout.h"

namespace keylens::render {

Image DrawAttentionReport(const AttentionReport& report) {
  return PaintDrawing(LayOutReport(report));
}

std::string AttentionReportSvg(const AttentionReport& report) {
  return DrawingSvg(LayOutReport(report), report.title);
}

}  // namespace keylens::render
