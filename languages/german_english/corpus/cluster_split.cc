#include "languages/german_english/corpus/cluster_split.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

#include "languages/german_english/corpus/plain_text.h"
#include "src/random/random.h"

namespace keylens::german_english {
namespace {

// Sets that are merged, by the root of a tree each.
class DisjointSets {
 public:
  explicit DisjointSets(size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  size_t Find(size_t member) {
    while (parent_[member] != member) {
      member = parent_[member] = parent_[parent_[member]];
    }
    return member;
  }

  // The lower root stays one, so that a root is the first row of its cluster.
  void Merge(size_t one, size_t other) {
    one = Find(one);
    other = Find(other);
    parent_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<size_t> parent_;
};

// FNV-1a, mixed: the same everywhere.
uint64_t Hash(uint64_t seed, std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325 ^ seed;
  for (const char c : text) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  }
  return MixBits(hash);
}

struct Cluster {
  int64_t rows = 0;
  std::set<std::string> german_keys;  // of the eligible rows
  uint64_t rank = 0;
  Part part = Part::kTrain;
};

std::vector<Cluster> Gather(std::span<const Pair> rows,
                            const std::vector<int64_t>& clusters,
                            const std::vector<bool>& eligible, uint64_t seed) {
  std::vector<Cluster> gathered;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto cluster = static_cast<size_t>(clusters[i]);
    if (cluster >= gathered.size()) gathered.resize(cluster + 1);
    ++gathered[cluster].rows;
    if (eligible[i]) {
      gathered[cluster].german_keys.insert(ClusterKey(rows[i].german));
    }
  }
  for (Cluster& cluster : gathered) {
    if (cluster.german_keys.empty()) continue;
    cluster.rank = Hash(seed, *cluster.german_keys.begin());
  }
  return gathered;
}

// Gives clusters to `part` from `next` on until it has `wanted` lines.
void Fill(Part part, int64_t wanted, std::span<Cluster*> order, size_t& next) {
  int64_t lines = 0;
  for (; next < order.size() && lines < wanted; ++next) {
    order[next]->part = part;
    lines += static_cast<int64_t>(order[next]->german_keys.size());
  }
}

}  // namespace

std::vector<int64_t> FindClusters(std::span<const Pair> rows) {
  DisjointSets sets(rows.size());
  std::unordered_map<std::string, size_t> english, german;
  for (size_t i = 0; i < rows.size(); ++i) {
    sets.Merge(
        english.try_emplace(ClusterKey(rows[i].english), i).first->second, i);
    sets.Merge(german.try_emplace(ClusterKey(rows[i].german), i).first->second,
               i);
  }
  std::vector<int64_t> clusters(rows.size());
  int64_t count = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t root = sets.Find(i);
    clusters[i] = root == i ? count++ : clusters[root];
  }
  return clusters;
}

std::vector<Part> SplitByCluster(std::span<const Pair> rows,
                                 const std::vector<int64_t>& clusters,
                                 const std::vector<bool>& eligible,
                                 const SplitOptions& options) {
  std::vector<Cluster> gathered =
      Gather(rows, clusters, eligible, options.seed);
  std::vector<Cluster*> order;
  for (Cluster& cluster : gathered) {
    if (!cluster.german_keys.empty() &&
        cluster.rows <= options.max_cluster_rows) {
      order.push_back(&cluster);
    }
  }
  std::ranges::sort(order, {}, [](const Cluster* cluster) {
    return std::pair(cluster->rank, *cluster->german_keys.begin());
  });
  const int64_t wanted = options.test_rows + options.valid_rows;
  const int64_t most =
      std::min<int64_t>(wanted, std::ranges::count(eligible, true) / 5);
  size_t next = 0;
  if (wanted > 0) {
    Fill(Part::kTest, most * options.test_rows / wanted, order, next);
    Fill(Part::kValid, most * options.valid_rows / wanted, order, next);
  }
  std::vector<Part> parts;
  parts.reserve(clusters.size());
  for (const int64_t cluster : clusters) {
    parts.push_back(gathered[static_cast<size_t>(cluster)].part);
  }
  return parts;
}

}  // namespace keylens::german_english
