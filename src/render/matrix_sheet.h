#ifndef KEYLENS_SRC_RENDER_MATRIX_SHEET_H_
#define KEYLENS_SRC_RENDER_MATRIX_SHEET_H_

#include "src/render/attention_report.h"
#include "src/render/drawing.h"

namespace keylens::render {

// A panel as matrices, queries down and keys across: the mean map large, named
// maps, and a row for each layer. `top` is the weight of the last colour.
Drawing DrawMatrixPanel(const AttentionPanel& panel, float top);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_MATRIX_SHEET_H_
