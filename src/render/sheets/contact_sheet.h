#ifndef KEYLENS_SRC_RENDER_SHEETS_CONTACT_SHEET_H_
#define KEYLENS_SRC_RENDER_SHEETS_CONTACT_SHEET_H_

#include <span>
#include <string>

#include "src/image/image.h"

namespace keylens {

struct ContactSheetOptions {
  int cell = 128;          // pixels of a picture's longer side
  int columns = 0;         // 0: as many as make a sheet of three to two
  std::string title = {};  // no room is taken for an empty one
};

// Pictures side by side in rows, over white, in reading order, each brought to
// the cell's size with its aspect kept and set in the cell's middle. `captions`
// are as many as pictures, or none; long ones are shortened with an ellipsis.
// RGB.
//
// Picture i has its cell at x = kContactMargin + (i mod columns) * (cell +
// kContactGap); the rows of a sheet without title and captions at y in the same
// way. Throws std::invalid_argument for no pictures or another number of
// captions, Error for a sheet too large.
Image DrawContactSheet(std::span<const Image> pictures,
                       std::span<const std::string> captions = {},
                       const ContactSheetOptions& options = {});

inline constexpr int kContactMargin = 12;
inline constexpr int kContactGap = 8;

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_SHEETS_CONTACT_SHEET_H_
