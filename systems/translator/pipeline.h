#ifndef KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "systems/translator/rules/language_rules.h"
#include "systems/translator/translation.h"

namespace keylens::translator {

class TranslationModel;

// Text of one language to text of another. Front ends use this and nothing
// below it.
class Pipeline {
 public:
  // With the rules that `table` has for the languages of the model's
  // config.json. Throws Error, naming the file, where the model cannot be read.
  static Pipeline Load(const std::filesystem::path& model_folder,
                       std::span<const RulesRow> table);
  Pipeline(std::unique_ptr<const TranslationModel> model,
           std::unique_ptr<const LanguageRules> rules);
  Pipeline(Pipeline&&) noexcept;
  ~Pipeline();

  // A translation for each line (UTF-8; bytes that are not become U+FFFD; NFC,
  // without characters that do not show: see NormalForm); a
  // blank line gives an empty one. Lines are split into sentences, which are
  // decoded in batches; what a line becomes depends on nothing but the line and
  // the settings. Throws UsageError for a beam outside 1 to 64 or an nbest
  // outside 1 to the beam, or a length penalty outside 0 to 5; Error where what
  // the model computes is not finite.
  std::vector<Translation> Translate(std::span<const std::string> lines,
                                     const TranslateSettings& settings) const;

  // For what looks deeper than translating.
  const TranslationModel& model() const { return *model_; }

 private:
  std::unique_ptr<const TranslationModel> model_;
  std::unique_ptr<const LanguageRules> rules_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
