#ifndef KEYLENS_TESTS_ATTENTION_CLOSENESS_H_
#define KEYLENS_TESTS_ATTENTION_CLOSENESS_H_

#include <gtest/gtest.h>

#include <vector>

namespace keylens {

// Whether `actual` is as good as can be asked for: not further from the oracle
// than twice what the naive formula in float is, at their worst elements, plus
// two units in the last place of the largest element, plus `extra`. Where the
// oracle is NaN or infinite, so must be `actual`.
::testing::AssertionResult AsGoodAsNaive(const std::vector<float>& actual,
                                         const std::vector<double>& oracle,
                                         const std::vector<float>& naive,
                                         double extra = 0);

// The largest finite distance of an element from the oracle's.
double WorstError(const std::vector<float>& values,
                  const std::vector<double>& oracle);

// Whether no element differs by more than `tolerance`; NaN and infinities must
// be alike.
::testing::AssertionResult Close(const std::vector<float>& actual,
                                 const std::vector<double>& wanted,
                                 double tolerance);

// Whether two tensors have the same bits.
::testing::AssertionResult SameBits(const std::vector<float>& left,
                                    const std::vector<float>& right);

bool IsNan(const std::vector<float>& values);  // every one of them

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_CLOSENESS_H_
