#ifndef KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_H_
#define KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/image/image.h"
#include "src/render/report/head_statistics.h"

namespace keylens::render {

// A picture whose places are the queries or the keys of a panel: number
// `first + row * cols + col` is the place (row, col) of a grid laid over it.
// What is before `first`, or behind the grid (a class token), is no place: it
// has only its label.
struct PictureAxis {
  Image picture;  // of any size, 1, 3 or 4 channels
  int rows = 1;
  int cols = 1;
  int first = 0;

  int places() const { return rows * cols; }
};

// A map beside those of layers and heads, such as attention rollout or the
// relevance for a class. Its numbers need not be shares: it has a scale of its
// own, from 0 to its largest number.
struct NamedMap {
  std::string name;
  std::vector<float> weights;  // [queries, keys]
};

// The maps of a panel with long sequences once more, with more detail: a cell
// stands for a run of queries and a run of keys (the last run of either may be
// shorter), and is the sum over its keys of the mean over its queries: the
// share of their attention that the queries give to these keys.
struct MapLevel {
  int queries_per_cell = 1;
  int keys_per_cell = 1;
  std::vector<float> weights;  // [layers, heads, cells down, cells across]
};

// The heaviest keys of every single query, by falling weight: numbers from 0
// and their exact weights. Where a query has fewer, the rest are -1 and 0.
struct TopKeys {
  int count = 0;               // for each query; 0: not known
  std::vector<int32_t> keys;   // [layers, heads, query_count, count]
  std::vector<float> weights;  // the same
};

// What a panel has in addition where its sequences are too long to hold every
// weight. The panel's own maps are pooled as those of a MapLevel are, and its
// labels are those of the runs ("0–127").
struct LongSequences {
  int query_count = 0;  // of single queries and keys
  int key_count = 0;
  int queries_per_row = 1;  // the runs of the panel's own maps
  int keys_per_col = 1;
  std::vector<std::string> queries;  // a label each; none: numbers from 0
  std::vector<std::string> keys;
  // From coarse to fine. A level's runs divide those of the one before, the
  // first one's those of the panel.
  std::vector<MapLevel> levels;
  TopKeys top;
};

// The attention of one place in a model (cross-attention, the encoder's
// self-attention, ...): who looks at whom, in every layer and head.
//
// The names of the axes are for the reader: "English" and "German", say. Labels
// are UTF-8 of any script. What is optional is left out, not filled in.
struct AttentionPanel {
  std::string name;
  std::string query_axis = "queries";
  std::string key_axis = "keys";
  std::vector<std::string> queries;
  std::vector<std::string> keys;
  int steps = 1;  // of a sampler that runs the model again and again
  int layers = 1;
  int heads = 1;
  std::vector<float> weights;           // [steps, layers, heads, queries, keys]
  std::vector<std::string> step_names;  // a name each; none: "step 1", ...

  // Queries and keys are the places of one sequence: query i and key i are the
  // same word or patch.
  bool self_attention = false;
  std::vector<HeadStatistics> statistics;  // [layers, heads]; none: not shown

  std::optional<PictureAxis> query_picture;
  std::optional<PictureAxis> key_picture;
  std::vector<NamedMap> named_maps;
  // Only with one step, without pictures and named maps.
  std::optional<LongSequences> long_sequences;
};

// Everything that a picture of attention says, whatever it is drawn on. Means
// over steps, heads and layers are not in it: every output takes them from the
// weights.
struct AttentionReport {
  std::string title;
  std::vector<std::string> notes;  // a line each: the model, options
  std::vector<AttentionPanel> panels;
  std::string quantity = "attention weight";  // what the scale counts
  // The weight that gets the last colour; what is above it looks like it. 0:
  // the largest weight of the report, where the keys or queries of a panel with
  // a picture that are no places do not count (the class token's weight on
  // itself would leave the picture pale), and of a panel with long sequences a
  // tenth of the rows (the first of a causal mask, which have few keys, would).
  float scale_top = 0;
};

// One map of a panel. A step, layer or head that is not named stands for the
// mean over all of them. `named` is the number of one of the panel's named
// maps, and the others are not looked at.
struct MapChoice {
  std::optional<int> layer = {};  // all from 0
  std::optional<int> head = {};
  std::optional<int> step = {};
  std::optional<int> named = {};

  friend bool operator==(const MapChoice&, const MapChoice&) = default;
};

// Throws std::invalid_argument, starting with `function` and naming the panel
// and its shape, unless there is a panel, every panel has a step, a layer, a
// head, a query and a key, every array is as large as that makes (or empty,
// where it may be), grids lie within their axis, pictures have pixels, levels
// fit, and no number is negative or not finite.
void CheckReport(const AttentionReport& report, const char* function);
void CheckPanel(const AttentionPanel& panel, const char* function);

// The map [queries, keys], row-major. Throws std::invalid_argument for a step,
// layer, head or named map that the panel has not.
std::vector<float> MapOf(const AttentionPanel& panel, const MapChoice& choice);

// What the map is, in words that count from 1: "layer 2, head 3", "layer 2,
// mean of 8 heads", "mean of 3 layers of 8 heads"; without the layer where
// there is but one, and "weights" where there is but one head of it. Where the
// panel has several steps and one is chosen, its name comes behind: "head 1,
// step 5". A named map has its own name.
std::string DescribeMap(const AttentionPanel& panel, const MapChoice& choice);

// The step's name, counted from 0: step_names or "step 1".
std::string NameOfStep(const AttentionPanel& panel, int step);

// The maps of one layer in the order in which they are shown: the mean over
// its heads, where that is not shown elsewhere as the mean of the whole panel,
// then every head.
std::vector<MapChoice> MapsOfLayer(const AttentionPanel& panel, int layer);

// What the weights say of each layer and head, on the mean over steps and
// queries: what `statistics` takes. Even weights are those over all keys that
// some weight is above 0 for. For a panel that is not pooled.
std::vector<HeadStatistics> StatisticsOf(const AttentionPanel& panel);

// The top of the report's scale; 1 where every weight is 0.
float ScaleTop(const AttentionReport& report);

// Whether some weight is above the scale's top.
bool ExceedsScale(const AttentionReport& report);

// The top of the scale of a level of the panel's long sequences, found in the
// same way as that of the panel's own maps.
float ScaleTop(const AttentionPanel& panel, const MapLevel& level);

// The top of a named map's scale; 1 where every number is 0. Places of pictures
// count as for scale_top.
float ScaleTop(const AttentionPanel& panel, const NamedMap& map);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_ATTENTION_REPORT_H_
