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
    const Pipeline& pipeline, std::span<const std::string> prompts,
    const DrawSettings& settings,
    const std::function<void(int64_t done, int64_t total)>& observer) {
  inspect::HeadSurvey survey;
  std::vector<DrawRequest> requests;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    requests.push_back({.prompt = prompts[i], .seed = i, .maps = true});
  const auto total = static_cast<int64_t>(prompts.size());
  int64_t done = 0;
  pipeline.Draw(requests, settings, [&](std::size_t, Drawing&& drawing) {
    for (const LayerMaps& layer : drawing.maps->layers)
      survey.Add(PanelOf(layer, drawing.maps->tokens));
    if (observer) observer(++done, total);
  });
  return survey.Places();
}

}  // namespace keylens::generator
