#ifndef KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_NPY_H_
#define KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_NPY_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "src/render/report/attention_report.h"

namespace keylens::render {

// One array of a report and the file that it goes to. The values are the
// report's own.
struct ReportArray {
  std::filesystem::path path;
  std::vector<int64_t> shape;
  std::span<const float> values;
};

// The arrays of a report that is written as `path`, maps.npy say: the weights
// [steps, layers, heads, queries, keys] of a single panel as maps.npy, those of
// several as maps.PANEL.npy each, and named maps [queries, keys] as
// maps.NAME.npy or maps.PANEL.NAME.npy. In a file's name, what is no letter,
// digit, "-", "_" or "." of ASCII becomes "-"; a name that was there before
// gets a number: maps.PANEL-2.npy.
std::vector<ReportArray> ArraysOf(const AttentionReport& report,
                                  const std::filesystem::path& path);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_NPY_H_
