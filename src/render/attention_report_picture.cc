#include "src/render/attention_report_layout.h"
#include "src/render/attention_report_outputs.h"
#include "src/render/drawing.h"

namespace keylens::render {

Image DrawAttentionReport(const AttentionReport& report) {
  return PaintDrawing(LayOutReport(report));
}

std::string AttentionReportSvg(const AttentionReport& report) {
  return DrawingSvg(LayOutReport(report), report.title);
}

}  // namespace keylens::render
