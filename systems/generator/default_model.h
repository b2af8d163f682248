#ifndef KEYLENS_SYSTEMS_GENERATOR_DEFAULT_MODEL_H_
#define KEYLENS_SYSTEMS_GENERATOR_DEFAULT_MODEL_H_

#include <filesystem>

namespace keylens::generator {

// The folder of the model that ships: share/keylens/models/emoji of the prefix
// that the program is installed in, or models/emoji of the source tree that it
// was built in. Throws Error when neither is there.
std::filesystem::path DefaultModelFolder();

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_DEFAULT_MODEL_H_
