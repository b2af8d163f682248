#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "src/render/report/attention_report.h"

namespace keylens::render {
namespace {

// Sums over the queries of one head.
class HeadSums {
 public:
  explicit HeadSums(std::size_t keys) : mass_(keys) {}

  void Add(std::span<const float> row, int query, bool self_attention) {
    int live = 0;
    for (std::size_t key = 0; key < row.size(); ++key) {
      const double weight = row[key];
      if (weight <= 0) continue;
      ++live;
      entropy_ -= weight * std::log(weight);
      mass_[key] += weight;
      if (self_attention) AddPlace(weight, static_cast<int>(key) - query);
    }
    if (live > 0) even_entropy_ += std::log(live);
    ++rows_;
  }

  HeadStatistics Mean() const {
    const auto mean = [&](double sum) {
      return static_cast<float>(sum / rows_);
    };
    return {.entropy = mean(entropy_),
            .even_entropy = mean(even_entropy_),
            .first_key = mean(mass_.front()),
            .top_key = mean(*std::ranges::max_element(mass_)),
            .mean_distance = mean(distance_),
            .self = mean(self_),
            .previous = mean(previous_),
            .next = mean(next_)};
  }

 private:
  void AddPlace(double weight, int offset) {
    distance_ += weight * std::abs(offset);
    if (offset == 0) self_ += weight;
    if (offset == -1) previous_ += weight;
    if (offset == 1) next_ += weight;
  }

  std::vector<double> mass_;  // of each key
  double entropy_ = 0, even_entropy_ = 0, distance_ = 0;
  double self_ = 0, previous_ = 0, next_ = 0;
  int rows_ = 0;
};

HeadStatistics StatisticsOfHead(const AttentionPanel& panel, int head) {
  const std::size_t keys = panel.keys.size();
  const std::size_t cells = panel.queries.size() * keys;
  const std::size_t heads =
      static_cast<std::size_t>(panel.layers) * panel.heads;
  HeadSums sums(keys);
  for (int step = 0; step < panel.steps; ++step) {
    const auto map =
        std::span(panel.weights).subspan((step * heads + head) * cells, cells);
    for (std::size_t query = 0; query < panel.queries.size(); ++query) {
      sums.Add(map.subspan(query * keys, keys), static_cast<int>(query),
               panel.self_attention);
    }
  }
  return sums.Mean();
}

}  // namespace

std::vector<HeadStatistics> StatisticsOf(const AttentionPanel& panel) {
  CheckPanel(panel, "StatisticsOf");
  if (panel.long_sequences) {
    throw std::invalid_argument("StatisticsOf: panel \"" + panel.name +
                                "\" is pooled: its single weights are not "
                                "known");
  }
  std::vector<HeadStatistics> statistics(panel.layers * panel.heads);
  for (int head = 0; head < panel.layers * panel.heads; ++head)
    statistics[head] = StatisticsOfHead(panel, head);
  return statistics;
}

}  // namespace keylens::render
