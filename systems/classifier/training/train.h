#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAIN_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAIN_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "src/train/task.h"
#include "systems/classifier/data/dataset.h"
#include "systems/classifier/training/training_options.h"

namespace keylens::classifier {

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
