#include "systems/classifier/looking/survey_heads.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "systems/classifier/looking/trace.h"
#include "systems/classifier/predict.h"

namespace keylens::classifier {
namespace {

std::vector<std::string> Numbers(int64_t count) {
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

// `layers`: [heads, tokens, tokens] each.
render::AttentionPanel PanelOf(const std::vector<torch::Tensor>& layers) {
  render::AttentionPanel panel;
  panel.name = "patches";
  panel.self_attention = true;
  panel.layers = static_cast<int>(layers.size());
  panel.heads = static_cast<int>(layers[0].size(0));
  panel.queries = panel.keys = Numbers(layers[0].size(1));
  for (const torch::Tensor& layer : layers) {
    const torch::Tensor weights = layer.to(torch::kFloat32).contiguous();
    const float* data = weights.data_ptr<float>();
    panel.weights.insert(panel.weights.end(), data, data + weights.numel());
  }
  return panel;
}

}  // namespace

SurveyedPictures SurveyHeads(ClassifierModelImpl& model, const Dataset& dataset,
                             int64_t count, const NoteSink& note) {
  const LabelledPictures test =
      ReadPictures(dataset, Split::kTest, FramingOf(model.config()), note);
  const auto most = static_cast<std::size_t>(count);
  const std::size_t stride =
      std::max<std::size_t>(1, (test.pictures.size() + most - 1) / most);
  inspect::HeadSurvey survey;
  SurveyedPictures surveyed;
  for (std::size_t i = 0; i < test.pictures.size(); i += stride) {
    const Trace trace = TracePicture(
        model, PictureBatch({&test.pictures[i], 1}, model.config()));
    survey.Add(PanelOf(trace.weights));
    ++surveyed.pictures;
  }
  surveyed.places = survey.Places();
  return surveyed;
}

}  // namespace keylens::classifier
