#ifndef KEYLENS_TESTS_TRANSLATOR_TINY_TRANSLATOR_H_
#define KEYLENS_TESTS_TRANSLATOR_TINY_TRANSLATOR_H_

#include <filesystem>
#include <string>
#include <vector>

#include "src/models/keylens_translator/model.h"
#include "systems/translator/training/run_training.h"

namespace keylens::translator {

// A folder of this test program's own, removed at the end of a test.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name);
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Sentences of a small grammar, German and English: every subject with every
// predicate but those that are held out.
std::vector<SentencePair> GrammarPairs(bool held_out);

// Writes them to train.tsv and valid.tsv.
void WriteGrammar(const std::filesystem::path& folder);

// The module of a model folder, in evaluation mode.
TranslatorModel ReadModule(const std::filesystem::path& folder);

// A run over such a folder, of a model that takes milliseconds a step.
TrainingRun TinyRun(const std::filesystem::path& data,
                    const std::filesystem::path& out, int64_t steps);

}  // namespace keylens::translator

#endif  // KEYLENS_TESTS_TRANSLATOR_TINY_TRANSLATOR_H_
