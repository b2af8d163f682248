#ifndef KEYLENS_SRC_RENDER_SHEETS_PICTURE_SHEET_H_
#define KEYLENS_SRC_RENDER_SHEETS_PICTURE_SHEET_H_

#include "src/render/draw/drawing.h"
#include "src/render/report/attention_report.h"

namespace keylens::render {

// Whether one axis of the panel is a picture, and the other so short (a class
// token, the words of a prompt) that each of its maps is best seen on it.
bool ShowsAsPictures(const AttentionPanel& panel);

// Such a panel: the picture, and on it the mean map of each query or key of the
// other axis, large; named maps the same; and the maps of every layer and head,
// small. Beside each map stands the share of a query's weight that is on the
// picture, or, where places look at words, the mean over the places. `top` is
// the weight of the last colour. A map's Drawing::Picture is named after the
// panel, ": ", DescribeMap's words, and, where there are several, ", " and the
// label of the other axis.
Drawing DrawPicturePanel(const AttentionPanel& panel, float top);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_SHEETS_PICTURE_SHEET_H_
