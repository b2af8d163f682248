#include "systems/translator/training/model_files.h"

#include <nlohmann/json.hpp>

#include "src/base/atomic_folder.h"
#include "src/base/file.h"
#include "src/nn/state_dict.h"
#include "src/weights/model_folder.h"
#include "systems/translator/model/model_folder.h"

namespace keylens::translator {

namespace fs = std::filesystem;

void LoadWeights(TranslatorModelImpl& model, const fs::path& folder) {
  nn::LoadStateDict(model, *OpenWeights(WeightsFile(folder)));
}

void WriteModelFolder(TranslatorModelImpl& model,
                      const fs::path& tokenizer_file, const fs::path& folder) {
  WriteFolderAtomically(folder, [&](const fs::path& temporary) {
    WriteFileAtomically(TokenizerFile(temporary), ReadFile(tokenizer_file));
    nn::SaveStateDict(model, WeightsFile(temporary), ElementType::kFloat16);
    WriteFileAtomically(ConfigFile(temporary),
                        ToJson(model.config()).dump(2) + "\n");
  });
}

}  // namespace keylens::translator
