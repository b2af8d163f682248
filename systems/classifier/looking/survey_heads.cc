#include "systems/classifier/looking/survey_heads.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "systems/classifier/predict.h"

namespace keylens::classifier {
namespace {

std::vector<std::string> Numbers(int64_t count) {
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

// `layers`: [heads, tokens, tokens] each.
render::AttentionPanel PanelOf(
    const std::vector<nn::AttentionWeights>& layers) {
  render::AttentionPanel panel;
  panel.name = "patches";
  panel.self_attention = true;
  panel.layers = static_cast<int>(layers.size());
  panel.heads = static_cast<int>(layers[0].heads);
  panel.queries = panel.keys = Numbers(layers[0].query_len);
  for (const nn::AttentionWeights& layer : layers) {
    panel.weights.insert(panel.weights.end(), layer.values.begin(),
                         layer.values.end());
  }
  return panel;
}

}  // namespace

SurveyedPictures SurveyHeads(const InferenceModel& model,
                             const Dataset& dataset, int64_t count,
                             const NoteSink& note) {
  const LabelledPictures test =
      ReadPictures(dataset, Split::kTest, FramingOf(model.config()), note);
  const auto most = static_cast<std::size_t>(count);
  const std::size_t stride =
      std::max<std::size_t>(1, (test.pictures.size() + most - 1) / most);
  inspect::HeadSurvey survey;
  SurveyedPictures surveyed;
  nn::InferenceBuffers buffers;
  for (std::size_t i = 0; i < test.pictures.size(); i += stride) {
    survey.Add(PanelOf(
        model.Weights(PlanesOf(test.pictures[i], model.config()), buffers)));
    ++surveyed.pictures;
  }
  surveyed.places = survey.Places();
  return surveyed;
}

}  // namespace keylens::classifier
