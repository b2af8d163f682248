#ifndef KEYLENS_SRC_INSPECT_LABELS_H_
#define KEYLENS_SRC_INSPECT_LABELS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace keylens::inspect {

// Names of queries and keys, one each; none: they go by number.
struct Labels {
  std::vector<std::string> queries;
  std::vector<std::string> keys;
};

// The labels, or, where there are none, the numbers from 0 to `count` - 1.
std::vector<std::string> LabelsOrNumbers(const std::vector<std::string>& labels,
                                         int64_t count);

// The lines of a file, without their ends, as names of `count` places, which
// messages call `places` ("keys"). Throws Error, naming the file, where there
// are more or fewer, and where they are not UTF-8.
std::vector<std::string> ReadLabels(const std::string& file, int64_t count,
                                    const std::string& places);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_LABELS_H_
