#include "src/models/registry.h"

#include <algorithm>
#include <string>

#include "src/base/error.h"
#include "src/checkpoint/config_reader.h"
#include "src/checkpoint/header_text.h"
#include "src/models/keylens_translator/kind.h"
#include "src/models/keylens_unet/kind.h"
#include "src/models/vit/kind.h"
#include "src/weights/model_folder.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

constexpr const ModelKind* kKinds[] = {
    &generator::kModelKind,
    &translator::kModelKind,
    &classifier::kModelKind,
};

// What config.json of another library calls its model: "MarianMTModel".
std::string ForeignName(const fs::path& folder) {
  for (const char* file : {"model_index.json", "config.json"}) {
    const std::string name = ClassNameIn(folder / file);
    if (!name.empty()) return name;
  }
  try {
    return ConfigReader(folder / "config.json").Text("model_type");
  } catch (const Error&) {
    return "";
  }
}

[[noreturn]] void RefuseForeign(const fs::path& folder) {
  const std::string name = ForeignName(folder);
  if (!name.empty()) {
    throw Error(folder.string() + ": a model of the kind " + QuotedName(name) +
                ", which Keylens does not know");
  }
  throw Error(folder.string() +
              ": is no model folder that Keylens knows (neither "
              "model_index.json nor config.json names a model)");
}

}  // namespace

std::span<const ModelKind* const> ModelKinds() { return kKinds; }

const ModelKind* FindModelKind(const fs::path& folder) {
  const auto* const found = std::ranges::find_if(
      kKinds, [&](const ModelKind* kind) { return kind->Recognises(folder); });
  return found == std::end(kKinds) ? nullptr : *found;
}

const ModelKind& ModelKindOf(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw Error(folder.string() + ": no such model folder");
  const ModelKind* kind = FindModelKind(folder);
  if (kind == nullptr) RefuseForeign(folder);
  return *kind;
}

void RequireModelKind(const fs::path& folder, std::string_view name) {
  const ModelKind* wanted = *std::ranges::find_if(
      kKinds, [&](const ModelKind* kind) { return kind->name == name; });
  const ModelKind* kind = FindModelKind(folder);
  if (kind == wanted) return;
  if (kind == nullptr) return CheckModelFolder(folder, wanted->marker);
  throw Error(folder.string() + ": is " + kind->description +
              ", where this is needed: " + wanted->description);
}

}  // namespace keylens
