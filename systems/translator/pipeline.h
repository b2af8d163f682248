#ifndef KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "systems/translator/translation.h"

namespace keylens::translator {

class TranslationModel;

// German text to English text. Front ends use this and nothing below it.
class Pipeline {
 public:
  // Throws Error, naming the file, where the model cannot be read.
  static Pipeline Load(const std::filesystem::path& model_folder);
  explicit Pipeline(std::unique_ptr<const TranslationModel> model);
  Pipeline(Pipeline&&) noexcept;
  ~Pipeline();

  // A translation for each line (UTF-8; bytes that are not become U+FFFD); a
  // blank line gives an empty one. Lines are split into sentences, which are
  // decoded in batches; what a line becomes depends on nothing but the line and
  // the search. Throws UsageError for a beam outside 1 to 64 or an nbest
  // outside 1 to the beam, or a length penalty outside 0 to 5.
  std::vector<Translation> Translate(std::span<const std::string> lines,
                                     const TranslateSettings& settings) const;

  // For what looks deeper than translating.
  const TranslationModel& model() const { return *model_; }

 private:
  std::unique_ptr<const TranslationModel> model_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
