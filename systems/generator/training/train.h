#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAIN_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAIN_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/models/keylens_unet/config.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "src/train/task.h"
#include "systems/generator/process.h"
#include "systems/generator/prompt.h"
#include "systems/generator/training/example_order.h"
#include "systems/generator/training/picture_set.h"

namespace keylens::generator {

struct GeneratorTraining {
  GeneratorConfig config;
  uint64_t seed =
      0;  // the run's: of the starting weights and the order of the pictures
  double prompt_dropout = 0.1;
  // The time of an example is sigmoid(time_shift + time_spread * logit(u)), u
  // uniform: spread 1 and shift 0 is uniform, a positive shift looks more often
  // at noise, where the prompt decides what the picture will be, and a larger
  // spread at both ends. Flat shapes are seen through a lot of noise (one part
  // in ten of picture shows them), so that what only the words can tell is in
  // the last twentieth of the time; here it is a third of the examples.
  double time_shift = 2.0;
  double time_spread = 1.5;
  // Feature maps in bfloat16; see UNetImpl::set_map_type.
  bool bfloat16 = false;
  std::vector<std::string> sample_prompts;
};

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
