#include "systems/classifier/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "systems/classifier/model/model_folder.h"
#include "systems/classifier/predict.h"

namespace keylens::classifier {
namespace {

std::vector<Guess> Ranked(const std::vector<float>& probabilities,
                          const std::vector<std::string>& labels) {
  std::vector<Guess> guesses;
  for (std::size_t i = 0; i < labels.size(); ++i)
    guesses.push_back({labels[i], static_cast<int32_t>(i), probabilities[i]});
  std::ranges::stable_sort(guesses, std::ranges::greater(),
                           &Guess::probability);
  return guesses;
}

// The model's label of each class of a set, which may lack some of them.
std::vector<int32_t> LabelsOf(const Dataset& dataset,
                              const std::vector<std::string>& labels) {
  std::vector<int32_t> result;
  for (const std::string& name : dataset.classes()) {
    const auto found = std::ranges::find(labels, name);
    if (found == labels.end()) {
      throw Error(
          fmt::format("{}: has other classes than the model, which knows no {}",
                      dataset.folder().string(), name));
    }
    result.push_back(static_cast<int32_t>(found - labels.begin()));
  }
  return result;
}

}  // namespace

struct Pipeline::Parts {
  InferenceModel model;
};

Pipeline::Pipeline(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;
Pipeline::~Pipeline() = default;

Pipeline Pipeline::Load(const std::filesystem::path& model_folder) {
  return Pipeline(
      std::make_unique<Parts>(Parts{ReadModelFolder(model_folder)}));
}

const InferenceModel& Pipeline::model() const { return parts_->model; }

const std::vector<std::string>& Pipeline::labels() const {
  return parts_->model.config().labels;
}

std::vector<std::vector<Guess>> Pipeline::Classify(
    std::span<const Image> images) const {
  std::vector<Image> framed;
  for (const Image& image : images)
    framed.push_back(Frame(image, FramingOf(parts_->model.config())));
  std::vector<std::vector<Guess>> result;
  for (const auto& probabilities : Probabilities(parts_->model, framed))
    result.push_back(Ranked(probabilities, labels()));
  return result;
}

Evaluation Pipeline::Evaluate(const Dataset& dataset,
                              const NoteSink& note) const {
  const std::vector<int32_t> labels_of_set = LabelsOf(dataset, labels());
  LabelledPictures test = ReadPictures(dataset, Split::kTest,
                                       FramingOf(parts_->model.config()), note);
  for (int32_t& label : test.labels)
    label = labels_of_set[static_cast<std::size_t>(label)];
  std::vector<int32_t> predicted;
  for (const auto& probabilities : Probabilities(parts_->model, test.pictures))
    predicted.push_back(BestClass(probabilities));
  return EvaluatePredictions(test.labels, predicted, labels());
}

}  // namespace keylens::classifier
