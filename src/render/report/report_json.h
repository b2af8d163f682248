#ifndef KEYLENS_SRC_RENDER_REPORT_REPORT_JSON_H_
#define KEYLENS_SRC_RENDER_REPORT_REPORT_JSON_H_

#include <string>

#include "src/render/report/attention_report.h"

namespace keylens::render {

// The report that the page of AttentionReportHtml holds: the object of
// AttentionReportJson without the means, with arrays as report_arrays.h packs
// them. `top_count` in long_sequences says how many top keys a query has.
std::string PackedReportJson(const AttentionReport& report);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_REPORT_JSON_H_
