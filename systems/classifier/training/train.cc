#include "systems/classifier/training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/models/vit/model.h"
#include "src/nn/state_dict.h"
#include "src/random/random.h"
#include "systems/classifier/predict.h"
#include "systems/classifier/training/epoch_order.h"
#include "systems/classifier/training/model_files.h"
#include "systems/classifier/training/picture_batch.h"

namespace keylens::classifier {
namespace {

// So many pictures that are learnt from are measured where none is held out.
constexpr std::size_t kMeasured = 2000;
constexpr uint64_t kHoldOutSeed = 0x686f6c64;  // any: the split is to stay

void Append(const LabelledPictures& from, std::size_t index,
            LabelledPictures& to) {
  to.pictures.push_back(from.pictures[index]);
  to.labels.push_back(from.labels[index]);
}

std::pair<LabelledPictures, LabelledPictures> SplitOff(
    const LabelledPictures& all, std::size_t held_out) {
  const std::size_t count = all.pictures.size();
  if (held_out >= count) {
    throw Error(fmt::format(
        "{} pictures are to be held out of {}: none is left to learn from",
        held_out, count));
  }
  std::pair<LabelledPictures, LabelledPictures> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = PictureOf(i, count, kHoldOutSeed);
    Append(all, index, i < held_out ? parts.second : parts.first);
  }
  return parts;
}

void CheckPictures(const LabelledPictures& all,
                   const ClassifierConfig& config) {
  for (const Image& image : all.pictures) {
    if (image.width != config.image_size || image.height != config.image_size ||
        image.channels != config.num_channels) {
      throw std::invalid_argument("ClassifierTask: a picture of another size");
    }
  }
  for (const int32_t label : all.labels) {
    if (label < 0 || label >= static_cast<int32_t>(config.labels.size()))
      throw std::invalid_argument("ClassifierTask: a label that has no name");
  }
}

}  // namespace

ClassifierTask::ClassifierTask(LabelledPictures pictures,
                               ClassifierTraining training)
    : training_(std::move(training)) {
  CheckPictures(pictures, training_.config);
  std::tie(learnt_, measured_) =
      SplitOff(pictures, static_cast<std::size_t>(training_.held_out));
  if (!measured_.pictures.empty()) return;
  const std::size_t count = std::min(kMeasured, learnt_.pictures.size());
  for (std::size_t i = 0; i < count; ++i) Append(learnt_, i, measured_);
}

std::shared_ptr<torch::nn::Module> ClassifierTask::MakeModel() {
  torch::manual_seed(training_.seed);
  auto model = std::make_shared<ClassifierModelImpl>(training_.config);
  if (training_.bfloat16) model->set_branch_type(torch::kBFloat16);
  return model;
}

ClassifierTask::Batch ClassifierTask::MakeBatch(
    const train::Share& share) const {
  const ClassifierConfig& config = training_.config;
  Batch batch;
  batch.pictures = torch::empty(
      {share.count, config.num_channels, config.image_size, config.image_size});
  batch.labels = torch::empty({share.count}, torch::kLong);
  for (int64_t row = 0; row < share.count; ++row) {
    const auto example = static_cast<uint64_t>(share.first + row);
    const uint64_t index = PictureOf(share.step * share.batch + example,
                                     learnt_.pictures.size(), share.seed);
    Random random({share.seed, static_cast<uint64_t>(share.step), 7, example});
    WriteAugmented(learnt_.pictures[index], NormalisationOf(config),
                   training_.augmentation, random, RowOf(batch.pictures, row));
    batch.labels.data_ptr<int64_t>()[row] = learnt_.labels[index];
  }
  return batch;
}

torch::Tensor ClassifierTask::Loss(torch::nn::Module& model,
                                   const train::Share& share) {
  const Batch batch = MakeBatch(share);
  return torch::nn::functional::cross_entropy(
      dynamic_cast<ClassifierModelImpl&>(model).forward(batch.pictures),
      batch.labels,
      torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(
          training_.label_smoothing));
}

std::string ClassifierTask::WriteSamples(torch::nn::Module& model,
                                         const std::filesystem::path& folder,
                                         int64_t step) {
  const std::vector<std::vector<float>> predicted =
      Probabilities(InferenceModel(training_.config, *nn::SourceOf(model)),
                    measured_.pictures);
  int64_t right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    right += BestClass(predicted[i]) == measured_.labels[i] ? 1 : 0;
  const nlohmann::ordered_json json = {
      {"step", step},
      {"pictures", predicted.size()},
      {"held_out", training_.held_out > 0},
      {"accuracy",
       static_cast<double>(right) / static_cast<double>(predicted.size())}};
  WriteFileAtomically(folder / fmt::format("{:07}.json", step),
                      json.dump() + "\n");
  return "";
}

void ClassifierTask::Export(torch::nn::Module& model,
                            const std::filesystem::path& folder) {
  WriteModelFolder(dynamic_cast<ClassifierModelImpl&>(model), folder);
}

}  // namespace keylens::classifier
