#ifndef KEYLENS_SRC_ATTENTION_PASSES_STATISTICS_H_
#define KEYLENS_SRC_ATTENTION_PASSES_STATISTICS_H_

#include <keylens/inspection.h>

#include <cstdint>
#include <vector>

#include "src/attention/plan/aligned_array.h"
#include "src/attention/plan/problem.h"
#include "src/attention/plan/tile_geometry.h"

namespace keylens::internal {

// Units for a pass that adds up weights over the queries of a head: each is a
// slice of one head's tiles. How a head is cut depends on shapes alone, and
// slices are added up in order, so that sums have the same bits for any number
// of threads.
class Slices {
 public:
  Slices(const Problem& problem, const Inspection& inspection);

  int64_t count() const {
    return problem_.batch * problem_.num_heads * per_head_;
  }
  int64_t max_tiles() const { return max_tiles_; }
  Unit UnitOf(int64_t slice) const;

  // The sums of one slice, zero at first: kv_len for key_mass, query groups *
  // key groups for pooled. Null when the statistic was not asked for.
  double* KeyMass(int64_t slice) const;
  double* Pooled(int64_t slice) const;

  // Likewise for offset_mass; where the offset from the slice's first query to
  // key 0 stands. The rows of the slice have all of theirs.
  double* OffsetMass(int64_t slice) const;
  int64_t FirstQuery(int64_t slice) const {
    return slice % per_head_ * max_tiles_ * kTileRows;
  }

  // Adds up the slices of every head into the caller's views.
  void Reduce() const;

 private:
  void ReduceHead(int64_t batch, int64_t head) const;
  void ReduceOffsets(int64_t batch, int64_t head) const;

  // The queries of a slice, of the last one and some beyond.
  int64_t SliceQueries() const { return max_tiles_ * kTileRows; }
  int64_t SliceOffsets() const { return SliceQueries() + problem_.kv_len - 1; }

  const Problem& problem_;
  const Inspection& inspection_;
  int64_t max_tiles_ = 1;
  int64_t per_head_ = 1;
  int64_t pooled_size_ = 0;
  AlignedArray<double> key_mass_;
  AlignedArray<double> pooled_;
  AlignedArray<double> offset_mass_;
};

struct WeightedKey {
  float weight;
  int64_t key;
};

// How many top keys are wanted; 0: none.
int64_t TopCount(const Inspection& inspection);

// Sorts the heaviest keys of a query by weight, ties to the lower key, and
// writes them where they are asked for.
void WriteTopKeys(const Inspection& inspection, const Tile& tile, int64_t row,
                  std::vector<WeightedKey>& heaviest);

// The heaviest keys of a row that is NaN throughout: all weights are equal, so
// the first `k` keys.
std::vector<WeightedKey> NanTopKeys(int64_t k, int64_t kv_len);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_STATISTICS_H_
