#ifndef KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_
#define KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "src/render/attention_report.h"

namespace keylens::render {

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
  panel.entropy = {0.5f, 1.25f, 0.0f, 1.0f, 2.0f, 3.0f};
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

inline std::vector<std::string> Words(int count) {
  std::vector<std::string> words;
  words.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) words.push_back("word" + std::to_string(i));
  return words;
}

}  // namespace keylens::render

#endif  // KEYLENS_TESTS_RENDER_ATTENTION_REPORT_SAMPLE_H_
