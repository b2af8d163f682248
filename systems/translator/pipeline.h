#ifndef KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "systems/translator/looking/alignment.h"
#include "systems/translator/search/search_options.h"

namespace keylens::translator {

struct ModelFolder;

struct TranslateSettings {
  SearchOptions search;
  int threads = 0;         // 0: one for each core
  bool alignment = false;  // takes a second look at each translation
};

// A word of a translation and the geometric mean of the probabilities of its
// pieces: 1 for a word that was copied.
struct TranslatedWord {
  std::string text;
  double confidence = 1;
};

// One of the best translations of a line.
struct Alternative {
  std::string text;
  double log_prob = 0;  // natural logarithm
  double score = 0;     // with the length penalty: what they are ordered by
};

// What the model was given, a sentence or a part of one, and what it wrote.
struct ModelCall {
  std::string source;        // with stand-ins for what is carried over
  std::vector<int32_t> ids;  // pieces, without the end token
};

struct Translation {
  std::string source;  // the line, bytes that are not UTF-8 as U+FFFD
  std::string text;
  double log_prob = 0, score = 0;
  double confidence = 1;              // as of a word, over all pieces
  std::vector<TranslatedWord> words;  // of `text`, split at white space

  // Where settings.alignment asks for them.
  std::vector<WordLink> alignment;  // words of `source` and of `text`
  double alignment_entropy = 0;     // nats, the mean over pieces of the weights
                                    // that alignments are read from

  std::vector<Alternative> nbest;  // the first is `text`
  std::vector<ModelCall> calls;    // that `text` was made of, in order
};

// German text to English text. Front ends use this and nothing below it.
class Pipeline {
 public:
  // Throws Error, naming the file, where the model cannot be read.
  static Pipeline Load(const std::filesystem::path& model_folder);
  explicit Pipeline(ModelFolder model, AlignmentHeads heads);
  Pipeline(Pipeline&&) noexcept;
  ~Pipeline();

  // A translation for each line (UTF-8; bytes that are not become U+FFFD); a
  // blank line gives an empty one. Lines are split into sentences, which are
  // decoded in batches; what a line becomes depends on nothing but the line and
  // the search. Throws UsageError for a beam outside 1 to 64 or an nbest
  // outside 1 to the beam, or a length penalty outside 0 to 5.
  std::vector<Translation> Translate(std::span<const std::string> lines,
                                     const TranslateSettings& settings) const;

  // Opaque parts, for what measures the model.
  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<const Parts> parts_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_PIPELINE_H_
