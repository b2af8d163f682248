#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_VALIDATION_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_VALIDATION_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "src/models/keylens_translator/model.h"
#include "src/text/tokenizer.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::translator {

// Held-out sentences that a run translates now and then. validation.jsonl in
// the folder of the run has one object a sample, {"step", "chrf", "bleu"}; a
// run that is resumed goes on with those of the steps that it has.
class Validation {
 public:
  // Takes at most `count` pairs, evenly spread; each source once.
  Validation(const std::vector<SentencePair>& pairs, int64_t count,
             const std::filesystem::path& run);

  // Drops the samples of steps after `step`, which a lost sitting took.
  void GoOnFrom(int64_t step);

  struct Sample {
    bool is_best = false;  // the chrF is above those of all before
    std::string summary;   // a line; empty without held-out sentences
  };

  // Translates, scores, and writes `folder`/NNNNNNN.txt: for each sentence the
  // German, the reference and the translation. Does nothing without held-out
  // sentences.
  Sample Write(TranslatorModelImpl& model, const Tokenizer& tokenizer,
               const std::filesystem::path& folder, int64_t step);

  // Samples after the one with the best chrF.
  int64_t SamplesSinceBest() const;

 private:
  std::filesystem::path file_;
  std::vector<std::string> sources_, references_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_VALIDATION_H_
