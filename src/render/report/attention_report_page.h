#ifndef KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_PAGE_H_
#define KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_PAGE_H_

#include <string_view>

namespace keylens::render {

// The files of attention_report_page/, which the build puts into the program.
// The page has places in double braces for title, style, colours, report and
// script.
extern const std::string_view kReportPage;
extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_PAGE_H_
