#ifndef KEYLENS_SRC_ATTENTION_PASSES_MERGE_H_
#define KEYLENS_SRC_ATTENTION_PASSES_MERGE_H_

#include <cstdint>
#include <span>

namespace keylens::internal {

// What some of a row's keys amount to: the largest score (-inf: none is live),
// the sum of exp(score - max), and the sum of exp(score - max) value.
struct PartialRow {
  float max = 0.0f;
  float sum = 0.0f;
  const float* out = nullptr;
};

// Writes the whole row's output to out[0, dim), and returns its logsumexp; 0
// and -inf where no key is live. Parts are added up in order; a single live
// one keeps its bits but for the division by its sum.
float MergeRow(std::span<const PartialRow> parts, int64_t dim, float* out);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_MERGE_H_
