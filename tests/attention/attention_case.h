#ifndef KEYLENS_TESTS_ATTENTION_ATTENTION_CASE_H_
#define KEYLENS_TESTS_ATTENTION_ATTENTION_CASE_H_

#include <keylens/attention.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/buffer.h"

namespace keylens {

// One call of attention: inputs from a normal distribution, rounded to the
// element type that is chosen (element.h), and the options. Masks and score
// mods that the options point to are not owned.
struct AttentionCase {
  // Everything dense; the same seed gives the same numbers in any layout.
  explicit AttentionCase(const AttentionShape& shape, uint64_t seed = 1);

  // Every tensor, results included, in a random layout of its own.
  static AttentionCase InStrangeLayouts(const AttentionShape& shape,
                                        uint64_t seed);

  // With `inputs` the layouts of query, key, value and out_grad.
  AttentionCase(const AttentionShape& shape, uint64_t seed,
                const std::array<Layout<4>, 4>& inputs,
                const Layout<4>& out_layout, const Layout<3>& row_layout);

  // The same numbers, rounded anew: for a case whose numbers were changed.
  AttentionCase RoundedAgain() const;

  AttentionInputs<float> Inputs() const;
  AttentionShape Shape() const { return ShapeOf(Inputs()); }

  Buffer<float, 4> query;
  Buffer<float, 4> key;
  Buffer<float, 4> value;
  Buffer<float, 4> out_grad;
  AttentionOptions options;
  Layout<4> out_layout;
  Layout<3> row_layout;
};

struct ForwardResult {
  Buffer<float, 4> out;
  Buffer<float, 3> logsumexp;

  AttentionOutputs<float> Outputs() { return {out.view(), logsumexp.view()}; }
  AttentionPart<float> Saved() const { return {out.view(), logsumexp.view()}; }
};

struct Gradients {
  Buffer<float, 4> query;
  Buffer<float, 4> key;
  Buffer<float, 4> value;

  AttentionGradients<float> Views() {
    return {query.view(), key.view(), value.view()};
  }
};

// Room for every statistic, with k top keys and every query and key in one of
// some groups, or in none.
struct Statistics {
  Statistics(const AttentionCase& attention, int64_t k);

  Inspection View();

  std::vector<int32_t> query_group;
  std::vector<int32_t> key_group;
  Buffer<float, 4> weights;
  Buffer<float, 3> entropy;
  Buffer<float, 3> key_mass;
  Buffer<int64_t, 4> top_keys;
  Buffer<float, 4> top_weights;
  Buffer<float, 4> pooled;
  Buffer<float, 3> offset_mass;
};

ForwardResult Forward(const AttentionCase& attention,
                      const Inspection* inspection = nullptr);
Gradients Backward(const AttentionCase& attention, ForwardResult& forward);

// Both passes, for what these mods learn from them.
void Learn(AttentionCase attention, const std::vector<const ScoreMod*>& mods);

void Inspect(const AttentionCase& attention, const ForwardResult& forward,
             const Inspection& inspection);

// Lengths are random, odd ones included, up to about `longest`; heads are
// grouped, value_dim differs from head_dim, and query_len from num_heads.
AttentionShape RandomShape(std::mt19937_64& random, int64_t longest,
                           int64_t widest);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_ATTENTION_CASE_H_
