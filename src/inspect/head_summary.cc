#include "src/inspect/head_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <span>

namespace keylens::inspect {
namespace {

// The sums over the queries of one head.
struct HeadSums {
  std::span<const int64_t> live_keys;
  std::span<const float> entropy, key_mass, offset_mass;
};

template <typename T>
std::span<const T> OfHead(const std::vector<T>& values, int64_t head,
                          int64_t size) {
  return std::span(values).subspan(static_cast<std::size_t>(head * size),
                                   static_cast<std::size_t>(size));
}

std::vector<KeyShare> HeaviestKeys(std::span<const float> key_mass,
                                   int64_t live_queries, int64_t count) {
  std::vector<int64_t> order(key_mass.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() +
                   std::min<int64_t>(count, static_cast<int64_t>(order.size()));
  const auto mass = [&](int64_t key) {
    return key_mass[static_cast<std::size_t>(key)];
  };
  std::partial_sort(order.begin(), end, order.end(), [&](int64_t a, int64_t b) {
    return mass(a) > mass(b) || (mass(a) == mass(b) && a < b);
  });
  std::vector<KeyShare> heaviest;
  for (auto key = order.begin(); key != end && mass(*key) > 0; ++key) {
    heaviest.push_back({*key, mass(*key) / static_cast<double>(live_queries)});
  }
  return heaviest;
}

void SetEntropies(const HeadSums& sums, double live_queries,
                  render::HeadStatistics& statistics) {
  double entropy = 0, even = 0;
  for (std::size_t i = 0; i < sums.entropy.size(); ++i) {
    entropy += sums.entropy[i];  // 0 of a query that sees no key
    if (sums.live_keys[i] > 0)
      even += std::log(static_cast<double>(sums.live_keys[i]));
  }
  statistics.entropy = static_cast<float>(entropy / live_queries);
  statistics.even_entropy = static_cast<float>(even / live_queries);
}

// How far from the query's own place the weights are.
void SetPlaces(const HeadSums& sums, const SequenceShape& shape,
               double live_queries, render::HeadStatistics& statistics) {
  // Where the offset from a query to the key at its own place stands.
  const int64_t own = shape.key_beside + shape.query_len - 1;
  const auto size = static_cast<int64_t>(sums.offset_mass.size());
  const auto share = [&](int64_t at) {
    return at < 0 || at >= size
               ? 0.0f
               : static_cast<float>(
                     sums.offset_mass[static_cast<std::size_t>(at)] /
                     live_queries);
  };
  double distance = 0;
  for (int64_t at = 0; at < size; ++at) {
    distance += static_cast<double>(std::abs(at - own)) *
                sums.offset_mass[static_cast<std::size_t>(at)];
  }
  statistics.mean_distance = static_cast<float>(distance / live_queries);
  statistics.self = share(own);
  statistics.previous = share(own - 1);
  statistics.next = share(own + 1);
}

HeadSummary SummaryOf(const HeadSums& sums, const SequenceShape& shape,
                      int64_t keys) {
  HeadSummary summary;
  summary.live_queries = std::ranges::count_if(
      sums.live_keys, [](int64_t live) { return live > 0; });
  if (summary.live_queries == 0) return summary;
  const auto live = static_cast<double>(summary.live_queries);
  SetEntropies(sums, live, summary.statistics);
  summary.statistics.first_key =
      static_cast<float>(sums.key_mass.front() / live);
  summary.statistics.top_key =
      static_cast<float>(std::ranges::max(sums.key_mass) / live);
  if (shape.self_attention) SetPlaces(sums, shape, live, summary.statistics);
  summary.kind = render::KindOf(summary.statistics, shape.self_attention);
  summary.heaviest_keys =
      HeaviestKeys(sums.key_mass, summary.live_queries, keys);
  return summary;
}

}  // namespace

std::vector<HeadSummary> Summarize(const EntryStatistics& statistics,
                                   const SequenceShape& shape, int64_t keys) {
  const int64_t heads =
      static_cast<int64_t>(statistics.entropy.size()) / shape.query_len;
  std::vector<HeadSummary> summaries;
  for (int64_t head = 0; head < heads; ++head) {
    summaries.push_back(
        SummaryOf({OfHead(statistics.live_keys, head, shape.query_len),
                   OfHead(statistics.entropy, head, shape.query_len),
                   OfHead(statistics.key_mass, head, shape.kv_len),
                   OfHead(statistics.offset_mass, head,
                          shape.query_len + shape.kv_len - 1)},
                  shape, keys));
  }
  return summaries;
}

std::vector<KeyShare> HeaviestKeysOf(const EntryStatistics& statistics,
                                     std::size_t row, int64_t count) {
  const std::size_t stored =
      statistics.top_keys.size() / statistics.entropy.size();
  std::vector<KeyShare> keys;
  for (std::size_t i = row * stored; i < (row + 1) * stored; ++i) {
    if (statistics.top_keys[i] < 0 ||
        static_cast<int64_t>(keys.size()) == count)
      break;
    keys.push_back({statistics.top_keys[i], statistics.top_weights[i]});
  }
  return keys;
}

}  // namespace keylens::inspect
