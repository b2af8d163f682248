#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAIN_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAIN_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/text/sentence_piece_tokenizer.h"
#include "src/train/task.h"
#include "systems/generator/data/picture_set.h"
#include "systems/generator/process.h"
#include "systems/generator/prompt.h"
#include "systems/generator/training/example_order.h"
#include "systems/generator/training/training_options.h"

namespace keylens::generator {

// The prompts of the grids of samples where a user gives none: some captions of
// the set.
std::vector<std::string> DefaultSamplePrompts(
    const std::vector<CaptionedPicture>& pictures);

// Trains a tokenizer on the captions and keywords of `pictures`; writes `path`.
void TrainPromptTokenizer(const std::vector<CaptionedPicture>& pictures,
                          const std::filesystem::path& path);

// Denoising of captioned pictures, as the trainer sees it. Pictures that are
// held out are never drawn.
class GeneratorTask : public train::Task {
 public:
  // config.text.vocab_size is set from the tokenizer. Throws Error when every
  // picture is held out.
  GeneratorTask(std::vector<CaptionedPicture> pictures,
                const std::filesystem::path& tokenizer_file,
                GeneratorTraining training);

  std::shared_ptr<torch::nn::Module> MakeModel() override;
  torch::Tensor Loss(torch::nn::Module& model,
                     const train::Share& share) override;
  std::string WriteSamples(torch::nn::Module& model,
                           const std::filesystem::path& folder,
                           int64_t step) override;
  void Export(torch::nn::Module& model,
              const std::filesystem::path& folder) override;
  std::string examples_name() const override { return "pictures"; }

  // What the loss compares, drawn for one share of a step.
  struct Batch {
    TokenBatch text;
    torch::Tensor pictures;  // [n, 4, size, size], the network's colours
    torch::Tensor noise;     // the same shape
    torch::Tensor time;      // [n], in (0, 1)
  };
  Batch MakeBatch(const train::Share& share) const;

  const GeneratorConfig& config() const { return training_.config; }

 private:
  double TimeOf(const train::Share& share, int64_t example) const;

  std::vector<CaptionedPicture> pictures_;
  std::filesystem::path tokenizer_file_;
  SentencePieceTokenizer tokenizer_;
  GeneratorTraining training_;
  NoiseProcess process_;
  ExampleOrder order_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAIN_H_
