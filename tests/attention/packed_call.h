#ifndef KEYLENS_TESTS_ATTENTION_PACKED_CALL_H_
#define KEYLENS_TESTS_ATTENTION_PACKED_CALL_H_

#include <keylens/packed_sequences.h>

#include <cstdint>
#include <random>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/buffer.h"

namespace keylens {

// A call with sequences packed end to end: inputs from a normal distribution
// and room for the results, each in any layout.
class PackedCall {
 public:
  // Of `shape`, the lengths and the batch do not count. The offsets are those
  // of SequenceOffsets.
  PackedCall(const AttentionShape& shape, std::vector<int64_t> query_offsets,
             std::vector<int64_t> key_offsets, uint64_t seed);

  AttentionInputs<float> Inputs() const {
    return {query.view(), key.view(), value.view()};
  }
  SequenceOffsets Offsets() const { return {query_offsets, key_offsets}; }
  std::size_t NumSequences() const { return query_offsets.size() - 1; }

  void Forward(const AttentionOptions& options);
  void Backward(const AttentionOptions& options,
                TensorView<float, 1> sinks = {});

  // Expects sequence s to have the bits that the same rows get as entry s of a
  // batch, forward and backward, and that nothing is written between the
  // elements of any result.
  void ExpectAsInABatch(std::size_t s, const AttentionOptions& options);

  std::vector<int64_t> query_offsets, key_offsets;
  std::mt19937_64 random;
  Buffer<float, 4> query, key, value, out_grad;
  Buffer<float, 4> out, query_grad, key_grad, value_grad;
  Buffer<float, 3> logsumexp;

 private:
  Buffer<float, 4> Filled(int64_t heads, int64_t len, int64_t dim);
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_PACKED_CALL_H_
