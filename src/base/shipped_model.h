#ifndef KEYLENS_SRC_BASE_SHIPPED_MODEL_H_
#define KEYLENS_SRC_BASE_SHIPPED_MODEL_H_

#include <filesystem>
#include <string>

namespace keylens {

// The folder of a model that ships: share/keylens/models/NAME of the prefix
// that the program is installed in, or models/NAME of the source tree that it
// was built in, where there is a `config_file` in it. Throws Error when neither
// is there.
std::filesystem::path ShippedModelFolder(const std::string& name,
                                         const std::string& config_file);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_SHIPPED_MODEL_H_
