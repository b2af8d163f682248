#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DEFAULT_MODEL_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DEFAULT_MODEL_H_

#include <filesystem>

namespace keylens::classifier {

// The folder of the model that ships: share/keylens/models/fashion of the
// prefix that the program is installed in, or models/fashion of the source tree
// that it was built in. Throws Error when neither is there.
std::filesystem::path DefaultModelFolder();

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DEFAULT_MODEL_H_
