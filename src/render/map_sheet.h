#ifndef KEYLENS_SRC_RENDER_MAP_SHEET_H_
#define KEYLENS_SRC_RENDER_MAP_SHEET_H_

#include <string>
#include <vector>

#include "src/image/image.h"
#include "src/render/heat_map.h"
#include "src/render/map_sheet_layout.h"

namespace keylens {

// One word of a prompt and where in the picture it was looked at.
struct WordMap {
  std::string word;  // UTF-8
  bool special =
      false;  // a token that stands for no word, such as the end of the prompt
  HeatMap map;  // weights, of any grid; not owned
};

struct MapSheet {
  const Image* picture = nullptr;  // of any size; not owned
  std::string title;               // the prompt
  std::string note;                // seed, steps, guidance, model; may be empty
  std::vector<WordMap> words;      // in the prompt's order, at least one
};

// The scale that all maps of a sheet share: its top is the largest weight of a
// word. Special tokens, which often take most of the attention, do not stretch
// it unless there is nothing else; what they have beyond it is shown as the
// top.
HeatScale ChooseScale(const std::vector<WordMap>& words);

// Draws the sheet: the title and the note, the picture over white, for each
// word its map over the picture (OverlayHeat) under the word and the mean of
// its map in percent, and the legend. RGB. The pieces stand where LayoutOf
// says. Long words are shortened with an ellipsis. Throws std::invalid_argument
// for a sheet without picture or words and for what CheckHeatMap refuses, Error
// when the sheet would be too large.
Image DrawMapSheet(const MapSheet& sheet);
MapSheetLayout LayoutOf(const MapSheet& sheet);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_MAP_SHEET_H_
