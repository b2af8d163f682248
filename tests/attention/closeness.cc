#include "tests/attention/closeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace keylens {
namespace {

double LargestMagnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

bool WithinTolerance(float actual, double wanted, double tolerance) {
  if (std::isnan(wanted)) return std::isnan(actual);
  if (std::isinf(wanted)) return actual == wanted;
  return std::abs(actual - wanted) <= tolerance;
}

}  // namespace

double WorstError(const std::vector<float>& values,
                  const std::vector<double>& oracle) {
  double worst = 0;
  for (std::size_t i = 0; i < oracle.size(); ++i) {
    const double error = std::abs(values[i] - oracle[i]);
    if (std::isfinite(error)) worst = std::max(worst, error);
  }
  return worst;
}

::testing::AssertionResult Close(const std::vector<float>& actual,
                                 const std::vector<double>& wanted,
                                 double tolerance) {
  if (actual.size() != wanted.size()) {
    return ::testing::AssertionFailure()
           << actual.size() << " elements, wanted " << wanted.size();
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!WithinTolerance(actual[i], wanted[i], tolerance)) {
      return ::testing::AssertionFailure()
             << "element " << i << " of " << wanted.size() << " is "
             << actual[i] << ", wanted " << wanted[i] << " to within "
             << tolerance;
    }
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult AsGoodAsNaive(const std::vector<float>& actual,
                                         const std::vector<double>& oracle,
                                         const std::vector<float>& naive,
                                         double extra) {
  const double ulp =
      LargestMagnitude(oracle) * std::numeric_limits<float>::epsilon();
  return Close(actual, oracle, 2 * WorstError(naive, oracle) + 2 * ulp + extra);
}

::testing::AssertionResult SameBits(const std::vector<float>& left,
                                    const std::vector<float>& right) {
  if (left.size() != right.size()) {
    return ::testing::AssertionFailure()
           << left.size() << " and " << right.size() << " elements";
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::bit_cast<uint32_t>(left[i]) != std::bit_cast<uint32_t>(right[i])) {
      return ::testing::AssertionFailure()
             << "element " << i << " of " << left.size() << " is " << left[i]
             << " and " << right[i];
    }
  }
  return ::testing::AssertionSuccess();
}

bool IsNan(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isnan(value); });
}

}  // namespace keylens
