#ifndef KEYLENS_SRC_RENDER_SHEETS_MATRIX_SHEET_H_
#define KEYLENS_SRC_RENDER_SHEETS_MATRIX_SHEET_H_

#include "src/render/draw/drawing.h"
#include "src/render/report/attention_report.h"

namespace keylens::render {

// A panel as matrices, queries down and keys across: the mean map large, named
// maps, and a row for each layer. `top` is the weight of the last colour.
Drawing DrawMatrixPanel(const AttentionPanel& panel, float top);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_SHEETS_MATRIX_SHEET_H_
