#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DATA_GZIP_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DATA_GZIP_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace keylens::classifier {

// The content of a gzip file. Throws Error, starting with `name`, where the
// bytes are damaged or cut short, or hold more than `max_bytes`. Any bytes are
// safe to pass.
std::string Gunzip(std::string_view bytes, const std::string& name,
                   int64_t max_bytes);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DATA_GZIP_H_
