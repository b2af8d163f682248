#ifndef KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_
#define KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/render/report/attention_report.h"

namespace keylens::render {

inline std::vector<std::string> Words(int count) {
  std::vector<std::string> words;
  words.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) words.push_back("word" + std::to_string(i));
  return words;
}

// 2 layers of 3 heads, 2 queries, 4 keys, labels of several scripts. Every
// weight is its own; the largest, 0.9, is of layer 2, head 3, the second query
// and the third key.
inline AttentionPanel SamplePanel() {
  AttentionPanel panel;
  panel.name = "cross-attention";
  panel.query_axis = "English";
  panel.key_axis = "German";
  panel.queries = {"red", "<heart> & \"more\""};
  panel.keys = {"rotes", "Größe", "漢字", "</script>"};
  panel.layers = 2;
  panel.heads = 3;
  for (int i = 0; i < 2 * 3 * 2 * 4; ++i)
    panel.weights.push_back(0.01f * static_cast<float>(i + 1));
  panel.weights[46] = 0.9f;  // ((1 * 3 + 2) * 2 + 1) * 4 + 2
  for (const float entropy : {0.5f, 1.25f, 0.0f, 1.0f, 2.0f, 3.0f})
    panel.statistics.push_back({.entropy = entropy, .even_entropy = 4.0f});
  return panel;
}

inline AttentionReport SampleReport() {
  AttentionReport report;
  report.title = "red heart <1> & more";
  report.notes = {"model <emoji>", "beam 4"};
  report.panels = {SamplePanel()};
  return report;
}

// A panel of one layer and head with evenly spread weights.
inline AttentionPanel EvenPanel(std::vector<std::string> queries,
                                std::vector<std::string> keys) {
  AttentionPanel panel;
  panel.name = "even";
  panel.queries = std::move(queries);
  panel.keys = std::move(keys);
  panel.weights.assign(panel.queries.size() * panel.keys.size(),
                       1.0f / static_cast<float>(panel.keys.size()));
  return panel;
}

// One query, a class token, over itself and 2 x 3 places of a picture of
// 12 x 8 pixels; 2 layers of 2 heads and a named map.
inline AttentionPanel PicturePanel() {
  AttentionPanel panel;
  panel.name = "class token";
  panel.query_axis = "class";
  panel.key_axis = "patches";
  panel.queries = {"class"};
  panel.keys = {"class", "1,1", "1,2", "1,3", "2,1", "2,2", "2,3"};
  panel.layers = 2;
  panel.heads = 2;
  for (int i = 0; i < 2 * 2 * 7; ++i)
    panel.weights.push_back(0.005f * static_cast<float>(28 - i));
  panel.self_attention = true;
  panel.statistics.resize(4);
  Image picture{.width = 12, .height = 8, .channels = 3, .pixels = {}};
  for (int i = 0; i < 12 * 8 * 3; ++i)
    picture.pixels.push_back(static_cast<uint8_t>(i % 251));
  panel.key_picture = {
      .picture = std::move(picture), .rows = 2, .cols = 3, .first = 1};
  panel.named_maps = {
      {"rollout", {0.5f, 0.25f, 0.75f, 0.0f, 0.125f, 0.25f, 0.5f}}};
  return panel;
}

// The cells of runs of `run` in a sequence of 250 queries and 300 keys where
// query i looks at key i (weight 0.75) and at key 0 (0.25), in 2 heads.
inline std::vector<float> PooledDiagonal(int run) {
  constexpr int kQueries = 250, kKeys = 300;
  const int rows = (kQueries + run - 1) / run, cols = (kKeys + run - 1) / run;
  std::vector<float> weights(std::size_t{2} * rows * cols);
  for (int head = 0; head < 2; ++head) {
    for (int row = 0; row < rows; ++row) {
      float* cells =
          &weights[(static_cast<std::size_t>(head) * rows + row) * cols];
      cells[row] += 0.75f;
      cells[0] += 0.25f;
    }
  }
  return weights;
}

inline AttentionPanel LongPanel() {
  AttentionPanel panel;
  panel.name = "long";
  panel.self_attention = true;
  panel.queries = Words(16);
  panel.keys = Words(19);
  panel.heads = 2;
  panel.weights = PooledDiagonal(16);
  LongSequences sequences;
  sequences.query_count = 250;
  sequences.key_count = 300;
  sequences.queries_per_row = 16;
  sequences.keys_per_col = 16;
  sequences.levels = {{4, 4, PooledDiagonal(4)}, {1, 1, PooledDiagonal(1)}};
  sequences.top.count = 3;
  for (int head = 0; head < 2; ++head) {
    for (int query = 0; query < 250; ++query) {
      const bool sink = query == 0;
      sequences.top.keys.insert(sequences.top.keys.end(),
                                {query, sink ? -1 : 0, -1});
      sequences.top.weights.insert(
          sequences.top.weights.end(),
          {sink ? 1.0f : 0.75f, sink ? 0.0f : 0.25f, 0.0f});
    }
  }
  panel.long_sequences = std::move(sequences);
  return panel;
}

}  // namespace keylens::render

#endif  // KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_
