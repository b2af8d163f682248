#ifndef KEYLENS_SRC_BASE_SHIPPED_MODEL_H_
#define KEYLENS_SRC_BASE_SHIPPED_MODEL_H_

#include <filesystem>

namespace keylens {

enum class ShippedModel { kGenerator, kTranslator, kClassifier };

// The folder of a model that ships, as a program in `program_folder` finds it:
// share/keylens/models/NAME of the prefix that it is installed in, or
// models/NAME of the source tree that it was built in. Throws Error when
// neither is there.
std::filesystem::path ShippedModelFolder(
    ShippedModel model, const std::filesystem::path& program_folder);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_SHIPPED_MODEL_H_
