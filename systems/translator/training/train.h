#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAIN_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAIN_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/models/keylens_translator/model.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "src/train/task.h"
#include "systems/translator/text/parallel_text.h"
#include "systems/translator/training/sentence_stream.h"
#include "systems/translator/training/training_options.h"
#include "systems/translator/training/validation.h"

namespace keylens::translator {

// Trains the tokenizer of both languages on the text, each pair as often as it
// weighs; writes `path`.
void TrainVocabulary(const std::vector<SentencePair>& pairs, int64_t vocab_size,
                     const std::filesystem::path& path);

// Translation, as the trainer sees it. A batch is a number of target tokens:
// the sentences that begin within that stretch of the stream of sentences.
class TranslatorTask : public train::Task {
 public:
  // config.vocab_size is set from the tokenizer. `run` is the folder of the
  // run, for validation.jsonl and best/. Pairs with a side that is too long for
  // the model are left out, in `left_out`. Throws Error when none is left.
  TranslatorTask(ParallelText text, const std::filesystem::path& tokenizer_file,
                 TranslatorTraining training, const std::filesystem::path& run);

  std::shared_ptr<torch::nn::Module> MakeModel() override;
  // The share's part of the sum of the losses of all target tokens, over the
  // number of tokens of the whole batch: shares of any sizes add up to the same
  // gradient. (Tokens are counted as the sentences are in the text, and split
  // without sampling.)
  torch::Tensor Loss(torch::nn::Module& model,
                     const train::Share& share) override;
  // Translates held-out sentences: NNNNNNN.txt beside a line of
  // validation.jsonl; the best model so far, by chrF, is kept in best/.
  std::string WriteSamples(torch::nn::Module& model,
                           const std::filesystem::path& folder,
                           int64_t step) override;
  void Export(torch::nn::Module& model,
              const std::filesystem::path& folder) override;
  void GoOnFrom(int64_t step) override { validation_.GoOnFrom(step); }
  bool ShouldStop() override;
  std::string examples_name() const override { return "tokens"; }

  PackedPairs MakeBatch(const train::Share& share);

  int64_t left_out() const { return left_out_; }
  const TranslatorConfig& config() const { return training_.config; }

 private:
  struct Example {
    SentencePair text;
    std::vector<int32_t> source, target;  // pieces, without start and end
  };

  // What a batch has as one sentence.
  struct Line {
    Example example;
    uint64_t number = 0;  // of its first sentence in the stream
  };

  std::vector<int32_t> Split(const std::string& sentence,
                             const std::vector<int32_t>& ids,
                             uint64_t seed) const;
  bool IsShortEnough(const Example& example) const;
  Example SplitPair(SentencePair pair) const;

  // The sentences of the share, with those that are joined to its last one and
  // without those that are joined to the last one before it.
  std::vector<SentenceStream::Draw> DrawsOf(const train::Share& share);
  Example Drawn(const SentenceStream::Draw& draw, uint64_t seed) const;
  std::vector<Line> LinesOf(const train::Share& share);
  void AddLines(std::vector<Line> group, uint64_t seed,
                std::vector<Line>& lines) const;

  std::filesystem::path tokenizer_file_;
  SentencePieceTokenizer tokenizer_;
  TranslatorTraining training_;
  int64_t left_out_ = 0;
  std::unique_ptr<TextVariety> variety_;  // none where nothing is changed
  std::vector<Example> examples_;
  std::unique_ptr<SentenceStream> stream_;
  Validation validation_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAIN_H_
