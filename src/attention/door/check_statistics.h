#ifndef KEYLENS_SRC_ATTENTION_DOOR_CHECK_STATISTICS_H_
#define KEYLENS_SRC_ATTENTION_DOOR_CHECK_STATISTICS_H_

#include <keylens/inspection.h>

#include <cstdint>
#include <span>

#include "src/attention/door/argument_checker.h"
#include "src/attention/plan/problem.h"

namespace keylens::internal {

// Sums over groups of queries and keys, called `name`; null data is not wanted.
void CheckGroupSums(ArgumentChecker& checker, const Problem& problem,
                    const char* name, const TensorView<float, 4>& sums,
                    std::span<const int32_t> query_group,
                    std::span<const int32_t> key_group);

void CheckInspection(ArgumentChecker& checker, const Problem& problem,
                     const Inspection& inspection);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_DOOR_CHECK_STATISTICS_H_
