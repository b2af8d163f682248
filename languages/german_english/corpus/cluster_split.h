#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLUSTER_SPLIT_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLUSTER_SPLIT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

enum class Part { kTrain, kValid, kTest };

struct SplitOptions {
  uint64_t seed = 1;
  int64_t valid_rows = 1000;  // German lines, about
  int64_t test_rows = 2000;
  // A cluster with more rows is for training: taking it out of training would
  // cost more than it measures.
  int64_t max_cluster_rows = 8;
};

// The cluster of each row: rows that share the ClusterKey of their English or
// their German side, and rows linked through other rows, have the same number.
// Numbers count from 0 in the order of the rows.
std::vector<int64_t> FindClusters(std::span<const Pair> rows);

// The part of each row, whole clusters at a time. Test and then validation
// take clusters that have rows marked `eligible` and at most max_cluster_rows
// rows in all, in an order that the seed and the smallest German key of the
// cluster's eligible rows determine (not the order of the rows), until they
// have as many different eligible German keys as asked for, or a fifth of the
// eligible rows between them.
std::vector<Part> SplitByCluster(std::span<const Pair> rows,
                                 const std::vector<int64_t>& clusters,
                                 const std::vector<bool>& eligible,
                                 const SplitOptions& options);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLUSTER_SPLIT_H_
