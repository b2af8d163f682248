#include "systems/generator/looking/map_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "src/base/file_extension.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

// A page holds a number in 2 bytes, which base64 makes 2.7.
constexpr int64_t kMostNumbersOfAPage = 2'800'000;

std::vector<float> ValuesOf(const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.contiguous();
  const std::span<const float> values(dense.data_ptr<float>(),
                                      static_cast<std::size_t>(dense.numel()));
  return {values.begin(), values.end()};
}

// The weights of the words in some steps: [steps, heads, rows, cols, words], of
// [steps, heads, rows, cols, tokens], written once.
std::vector<float> WordWeights(const torch::Tensor& weights,
                               const std::vector<int64_t>& steps,
                               const std::vector<MappedWord>& words) {
  std::vector<int64_t> shape = weights.sizes().vec();
  shape.front() = static_cast<int64_t>(steps.size());
  shape.back() = static_cast<int64_t>(words.size());
  std::vector<float> sums(
      static_cast<std::size_t>(c10::multiply_integers(shape)));
  const torch::Tensor all = torch::from_blob(sums.data(), shape);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const torch::Tensor tokens = weights[steps[step]];
    const torch::Tensor of_step = all[static_cast<int64_t>(step)];
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto first = static_cast<int64_t>(words[i].first_token);
      const auto last = static_cast<int64_t>(words[i].last_token);
      of_step.select(3, static_cast<int64_t>(i))
          .copy_(tokens.slice(3, first, last).sum(3));
    }
  }
  return sums;
}

// The largest weight of a word that is not special; 0 where there is none.
float LargestOfWords(const torch::Tensor& maps,
                     const std::vector<MappedWord>& words) {
  float largest = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].special) continue;
    const torch::Tensor map = maps.select(1, static_cast<int64_t>(i));
    largest = std::max(largest, map.max().item<float>());
  }
  return largest;
}

// The panels of one drawing, with some of its steps.
class Panels {
 public:
  Panels(const Drawing& drawing, std::vector<int64_t> steps)
      : drawing_(drawing), maps_(*drawing.maps), steps_(std::move(steps)) {
    const int64_t all = maps_.maps.size(0);
    for (const int64_t step : steps_)
      names_.push_back(fmt::format("step {} of {}", step + 1, all));
  }

  // The words' maps, in every step or their mean.
  render::AttentionPanel OfWords(bool mean) const {
    const torch::Tensor maps =
        mean ? maps_.maps.mean(0, /*keepdim=*/true) : Chosen(maps_.maps);
    render::AttentionPanel panel =
        Grid("all layers", maps.size(2), maps.size(3));
    panel.steps = static_cast<int>(maps.size(0));
    if (!mean) panel.step_names = names_;
    panel.weights = ValuesOf(maps.permute({0, 2, 3, 1}));
    return panel;
  }

  render::AttentionPanel Of(const LayerMaps& layer) const {
    const torch::Tensor& weights = layer.weights;
    render::AttentionPanel panel =
        Grid(layer.name, weights.size(2), weights.size(3));
    panel.steps = static_cast<int>(steps_.size());
    panel.step_names = names_;
    panel.heads = static_cast<int>(weights.size(1));
    panel.weights = WordWeights(weights, steps_, maps_.words);
    panel.statistics = render::StatisticsOf(panel);
    return panel;
  }

 private:
  torch::Tensor Chosen(const torch::Tensor& maps) const {
    return maps.index_select(0, torch::tensor(steps_));
  }

  render::AttentionPanel Grid(const std::string& name, int64_t rows,
                              int64_t cols) const {
    render::AttentionPanel panel;
    panel.name = name;
    panel.query_axis = "places";
    panel.key_axis = "words";
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t col = 0; col < cols; ++col)
        panel.queries.push_back(fmt::format("{},{}", row + 1, col + 1));
    }
    for (const MappedWord& word : maps_.words) panel.keys.push_back(word.text);
    panel.query_picture = {.picture = drawing_.picture,
                           .rows = static_cast<int>(rows),
                           .cols = static_cast<int>(cols),
                           .first = 0};
    return panel;
  }

  const Drawing& drawing_;
  const PromptMaps& maps_;
  std::vector<int64_t> steps_;
  std::vector<std::string> names_;
};

int64_t NumbersOfAStep(const PromptMaps& maps) {
  const auto words = static_cast<int64_t>(maps.words.size());
  int64_t numbers = maps.maps[0].numel();
  for (const LayerMaps& layer : maps.layers)
    numbers += layer.weights[0].numel() / layer.weights.size(4) * words;
  return numbers;
}

// All steps, or as many as the numbers allow, the last among them.
std::vector<int64_t> ChooseSteps(const PromptMaps& maps, int64_t most_numbers) {
  const int64_t all = maps.maps.size(0);
  const int64_t most =
      most_numbers == 0
          ? all
          : std::clamp<int64_t>(most_numbers / NumbersOfAStep(maps), 1, all);
  std::vector<int64_t> steps;
  for (int64_t i = 1; i <= most; ++i) steps.push_back(i * all / most - 1);
  return steps;
}

}  // namespace

render::AttentionReport MapReport(const Drawing& drawing,
                                  const std::string& note, MapDetail detail,
                                  int64_t most_numbers) {
  const PromptMaps& maps = *drawing.maps;
  const bool words_only = detail == MapDetail::kWords;
  const std::vector<int64_t> steps = ChooseSteps(maps, most_numbers);
  render::AttentionReport report;
  report.title = drawing.prompt.text;
  report.notes = {note};
  const int64_t all = maps.maps.size(0);
  if (!words_only && static_cast<int64_t>(steps.size()) < all) {
    report.notes.push_back(
        fmt::format("{} of {} steps, for the file's size", steps.size(), all));
  }
  report.scale_top = LargestOfWords(
      words_only ? maps.maps.mean(0, /*keepdim=*/true) : maps.maps, maps.words);
  const Panels panels(drawing, steps);
  report.panels.push_back(panels.OfWords(words_only));
  if (words_only) return report;
  for (const LayerMaps& layer : maps.layers)
    report.panels.push_back(panels.Of(layer));
  return report;
}

void WriteMaps(const Drawing& drawing, const std::string& note,
               const fs::path& path) {
  const render::ReportTraits traits = render::TraitsOf(path);
  const MapDetail detail = traits.picture ? MapDetail::kWords : MapDetail::kAll;
  const int64_t most = traits.page ? kMostNumbersOfAPage : 0;
  render::WriteAttentionReport(MapReport(drawing, note, detail, most), path);
}

}  // namespace keylens::generator
