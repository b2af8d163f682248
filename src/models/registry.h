#ifndef KEYLENS_SRC_MODELS_REGISTRY_H_
#define KEYLENS_SRC_MODELS_REGISTRY_H_

#include <filesystem>
#include <span>
#include <string_view>

#include "src/models/model_kind.h"

namespace keylens {

// Every model that there is a definition of: a row each.
std::span<const ModelKind* const> ModelKinds();

// The kind of a model folder; null where it is none.
const ModelKind* FindModelKind(const std::filesystem::path& folder);

// As FindModelKind, or an Error that names the folder and says what it is
// instead, as far as that can be told: no folder, no model, somebody else's.
const ModelKind& ModelKindOf(const std::filesystem::path& folder);

// Throws Error unless the folder is a model of the kind `name`. One whose
// marker is there but damaged, or names a class that nobody knows, passes: the
// reader of the config says better what is wrong with it.
void RequireModelKind(const std::filesystem::path& folder,
                      std::string_view name);

}  // namespace keylens

#endif  // KEYLENS_SRC_MODELS_REGISTRY_H_
