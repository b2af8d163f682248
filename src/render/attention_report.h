#ifndef KEYLENS_SRC_RENDER_ATTENTION_REPORT_H_
#define KEYLENS_SRC_RENDER_ATTENTION_REPORT_H_

#include <optional>
#include <string>
#include <vector>

namespace keylens::render {

// The attention of one place in a model (cross-attention, the encoder's
// self-attention, ...): who looks at whom, in every layer and head.
//
// The names of the axes are for the reader: "English" and "German", say. Labels
// are UTF-8 of any script.
struct AttentionPanel {
  std::string name;
  std::string query_axis = "queries";
  std::string key_axis = "keys";
  std::vector<std::string> queries;
  std::vector<std::string> keys;
  int layers = 1;
  int heads = 1;
  std::vector<float> weights;  // [layers, heads, queries, keys], row-major
  std::vector<float> entropy;  // [layers, heads], nats; empty: not shown
};

// Everything that a picture of attention says, whatever it is drawn on. Means
// over heads and layers are not in it: every output takes them from the
// weights.
struct AttentionReport {
  std::string title;
  std::vector<std::string> notes;  // a line each: the model, options
  std::vector<AttentionPanel> panels;
  // The weight that gets the last colour; what is above it looks like it. 0:
  // the largest weight of the report.
  float scale_top = 0;
};

// One map of a panel. A layer or head that is not named stands for the mean
// over all of them.
struct MapChoice {
  std::optional<int> layer;  // from 0
  std::optional<int> head;   // from 0

  friend bool operator==(const MapChoice&, const MapChoice&) = default;
};

// Throws std::invalid_argument, starting with `function` and naming the panel
// and its shape, unless there is a panel, every panel has a layer, a head, a
// query and a key, its weights (and entropies, where there are some) are as
// many as that makes, and no number is negative or not finite.
void CheckReport(const AttentionReport& report, const char* function);
void CheckPanel(const AttentionPanel& panel, const char* function);

// The map [queries, keys], row-major. Throws std::invalid_argument for a layer
// or head that the panel has not.
std::vector<float> MapOf(const AttentionPanel& panel, const MapChoice& choice);

// What the map is, in words that count from 1: "layer 2, head 3", "layer 2,
// mean of 8 heads", "mean of 3 layers of 8 heads".
std::string DescribeMap(const AttentionPanel& panel, const MapChoice& choice);

// The maps of one layer in the order in which they are shown: the mean over
// its heads, where that is not shown elsewhere as the mean of the whole panel,
// then every head.
std::vector<MapChoice> MapsOfLayer(const AttentionPanel& panel, int layer);

// The mean over the queries of -sum over the keys of w ln w, in nats, for each
// layer and head: what `entropy` takes.
std::vector<float> MeanEntropy(const AttentionPanel& panel);

// The top of the report's scale; 1 where every weight is 0.
float ScaleTop(const AttentionReport& report);

// Whether some weight is above the scale's top.
bool ExceedsScale(const AttentionReport& report);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_ATTENTION_REPORT_H_
