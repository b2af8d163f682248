#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAIN_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAIN_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "src/models/vit/config.h"
#include "src/train/task.h"
#include "systems/classifier/data/dataset.h"
#include "systems/classifier/training/augment.h"

namespace keylens::classifier {

struct ClassifierTraining {
  ClassifierConfig config;
  uint64_t seed =
      0;  // the run's: of the starting weights and the order of the pictures
  Augmentation augmentation;
  double label_smoothing = 0.1;
  // Branches in bfloat16; see ClassifierModelImpl::set_branch_type.
  bool bfloat16 = false;
  int64_t held_out = 0;  // so many pictures are not learnt from but measured on
};

// Classification, as the trainer sees it. Which pictures are held out is a
// function of their number alone.
class ClassifierTask : public train::Task {
 public:
  // `pictures` have the size and the channels of the config, and labels below
  // the number of its labels. Throws Error unless some are left to learn from.
  ClassifierTask(LabelledPictures pictures, ClassifierTraining training);

  std::shared_ptr<torch::nn::Module> MakeModel() override;
  torch::Tensor Loss(torch::nn::Module& model,
                     const train::Share& share) override;
  // Measures the held-out pictures (where there are none, some of those that
  // are learnt from) as they are: NNNNNNN.json.
  std::string WriteSamples(torch::nn::Module& model,
                           const std::filesystem::path& folder,
                           int64_t step) override;
  void Export(torch::nn::Module& model,
              const std::filesystem::path& folder) override;
  std::string examples_name() const override { return "pictures"; }

  struct Batch {
    torch::Tensor pictures;  // [n, channels, size, size], normalised
    torch::Tensor labels;    // [n], int64
  };
  Batch MakeBatch(const train::Share& share) const;

 private:
  ClassifierTraining training_;
  LabelledPictures learnt_, measured_;
};

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAIN_H_
