#include "systems/generator/looking/survey_heads.h"

#include <cstdint>
#include <utility>

namespace keylens::generator {
namespace {

std::vector<std::string> Numbers(int64_t count) {
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

render::AttentionPanel PanelOf(const LayerMaps& layer,
                               const std::vector<std::string>& tokens) {
  const torch::Tensor weights = layer.weights.contiguous();
  render::AttentionPanel panel;
  panel.name = layer.name;
  panel.steps = static_cast<int>(weights.size(0));
  panel.heads = static_cast<int>(weights.size(1));
  panel.queries = Numbers(weights.size(2) * weights.size(3));
  panel.keys = tokens;
  const float* data = weights.data_ptr<float>();
  panel.weights.assign(data, data + weights.numel());
  return panel;
}

}  // namespace

std::vector<inspect::SurveyedPlace> SurveyHeads(
    Pipeline& pipeline, std::span<const std::string> prompts,
    const DrawSettings& settings, const DrawObserver& observer) {
  inspect::HeadSurvey survey;
  // One at a time: the weights of every step of a picture are many.
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    DrawRequest request;
    request.prompt = prompts[i];
    request.seed = i;
    request.maps = true;
    const std::vector<Drawing> drawings = pipeline.Draw({request}, settings);
    for (const LayerMaps& layer : drawings[0].maps->layers)
      survey.Add(PanelOf(layer, drawings[0].maps->tokens));
    if (observer)
      observer(static_cast<int64_t>(i) + 1,
               static_cast<int64_t>(prompts.size()));
  }
  return survey.Places();
}

}  // namespace keylens::generator
