#ifndef KEYLENS_APP_CLI_NUMBER_LIST_H_
#define KEYLENS_APP_CLI_NUMBER_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

namespace keylens::cli {

// The numbers of "0,5,10-20", each below `count`, in that order; "all" are all
// from 0 to count - 1, and an empty list none. Throws UsageError, starting with
// `option`.
std::vector<int64_t> NumbersOfList(const std::string& option,
                                   const std::string& list, int64_t count);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_NUMBER_LIST_H_
