#include "tests/attention/gradients_match.h"

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <limits>
#include <utility>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/answers.h"
#include "tests/attention/closeness.h"
#include "tests/attention/element.h"

namespace keylens {
namespace {

// What weights below the least normal number, which the engine takes for 0, may
// add to a sum: gradients by weights stay below a million here.
constexpr double kFlushed = 1e6 * std::numeric_limits<float>::min();

// `rounding` is the relative rounding of weights that the naive formula need
// not have; `condition` the largest sum of absolute values behind an element.
struct Bound {
  double rounding = 0;
  double condition = 0;

  double For(const std::vector<double>& oracle) const {
    return rounding * LargestOf(oracle) + condition * kEpsilon;
  }
};

void ExpectGradientMatches(const char* name, const Buffer<float, 4>& actual,
                           const std::vector<double>& oracle,
                           const std::vector<float>& naive,
                           const Bound& bound) {
  EXPECT_TRUE(AsGoodAsNaive(actual.Values(), WithOverflow(oracle), naive,
                            bound.For(oracle) + RoundingOf(Largest(oracle))))
      << "gradient by " << name;
  EXPECT_TRUE(actual.PaddingIsUntouched()) << "gradient by " << name;
}

// The relevance of all scores, pooled.
template <typename Real>
std::vector<Real> Pooled(const AttentionShape& shape,
                         const std::vector<Real>& relevance,
                         const Statistics& groups) {
  ReferenceResult<Real> as_weights;
  as_weights.shape = shape;
  as_weights.weights = relevance;
  const auto& sums = groups.pooled.view().shape;
  return ReferencePooled<Real>(as_weights, groups.query_group, groups.key_group,
                               sums[2], sums[3]);
}

// With sinks and relevance asked for as well; `plain` is what was written
// without.
void ExpectAllGradientsMatch(const AttentionCase& attention,
                             ForwardResult& forward, Gradients plain,
                             const ReferenceGradients<double>& oracle,
                             const ReferenceGradients<float>& naive,
                             const Bound& bound) {
  const AttentionShape shape = attention.Shape();
  const Statistics groups(attention, 1);
  Buffer<float, 4> relevance(groups.pooled.view().shape, attention.out_layout);
  Buffer<float, 1> sinks({shape.num_heads});
  Gradients all = plain;
  AttentionGradients<float> views = all.Views();
  if (!attention.options.sinks.empty()) views.sinks = sinks.view();
  views.query_group = groups.query_group;
  views.key_group = groups.key_group;
  views.relevance = relevance.view();
  RunBackward(attention.Inputs(), attention.options, forward.Outputs(),
              attention.out_grad.view(), views);
  EXPECT_TRUE(SameBits(all.query.Values(), plain.query.Values()));
  EXPECT_TRUE(SameBits(all.key.Values(), plain.key.Values()));
  EXPECT_TRUE(SameBits(all.value.Values(), plain.value.Values()));
  EXPECT_TRUE(relevance.PaddingIsUntouched());
  const std::vector<double> wanted = Pooled(shape, oracle.relevance, groups);
  EXPECT_TRUE(AsGoodAsNaive(relevance.Values(), wanted,
                            Pooled(shape, naive.relevance, groups),
                            bound.For(wanted) + kFlushed))
      << "relevance";
  if (views.sinks.data == nullptr) return;
  EXPECT_TRUE(AsGoodAsNaive(sinks.Values(), oracle.sinks, naive.sinks,
                            bound.For(oracle.sinks)))
      << "gradient by the sinks";
}

}  // namespace

void ExpectGradientsMatch(const AttentionCase& attention,
                          const Answers& answers, ForwardResult& forward) {
  const auto inputs = attention.Inputs();
  const AttentionPart<float> saved = forward.Saved();
  const auto oracle = ReferenceBackward<double, float>(
      inputs, attention.options, attention.out_grad.view(), &saved);
  const auto naive = ReferenceBackward<float, float>(
      inputs, attention.options, attention.out_grad.view(), &saved);
  const Gradients actual = Backward(attention, forward);
  const double rounding = answers.ScoreRounding();
  ExpectGradientMatches("query", actual.query, oracle.query, naive.query,
                        {rounding, LargestOf(oracle.query_condition)});
  ExpectGradientMatches("key", actual.key, oracle.key, naive.key,
                        {rounding, LargestOf(oracle.key_condition)});
  ExpectGradientMatches("value", actual.value, oracle.value, naive.value,
                        {rounding, 0});
  ExpectAllGradientsMatch(attention, forward, actual, oracle, naive,
                          {rounding, 0});
}

}  // namespace keylens
