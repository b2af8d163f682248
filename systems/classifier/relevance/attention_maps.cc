#include "systems/classifier/relevance/attention_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "src/nn/state_dict.h"
#include "systems/classifier/predict.h"
#include "systems/classifier/relevance/trace.h"
#include "systems/classifier/training/model_files.h"
#include "systems/classifier/training/picture_batch.h"

namespace keylens::classifier {
namespace {

constexpr const char* kClassTokenLabel = "class token";

std::vector<std::string> TokenLabels(int64_t side) {
  std::vector<std::string> labels = {kClassTokenLabel};
  for (int64_t row = 1; row <= side; ++row) {
    for (int64_t column = 1; column <= side; ++column)
      labels.push_back(fmt::format("row {}, column {}", row, column));
  }
  return labels;
}

// The square that the network sees, as large as the picture's own detail is
// worth, up to 512 pixels along each side. A dark ground becomes paper again:
// heat is drawn like ink.
Image Seen(const Image& image, const Framing& framing) {
  constexpr int kMostPixels = 512;
  const int detail = std::max(image.width, image.height) / framing.content;
  const int most = std::max(1, kMostPixels / framing.size);
  Image seen = Frame(image, framing, std::clamp(detail, 1, most));
  if (framing.ground != Ground::kDark) return seen;
  for (uint8_t& value : seen.pixels) value = static_cast<uint8_t>(255 - value);
  return seen;
}

void AppendRow(const torch::Tensor& row, std::vector<float>& values) {
  const torch::Tensor floats = row.to(torch::kFloat32).contiguous();
  const float* data = floats.data_ptr<float>();
  values.insert(values.end(), data, data + floats.numel());
}

render::NamedMap Named(const std::string& name, const torch::Tensor& row) {
  render::NamedMap map;
  map.name = name;
  AppendRow(row, map.weights);
  return map;
}

// What one weight in a hundred exceeds: a head that looks at a single patch
// would leave all others pale.
float ScaleTop(std::vector<float> weights) {
  const auto place = static_cast<int64_t>(weights.size() - 1) * 99 / 100;
  std::ranges::nth_element(weights, weights.begin() + place);
  return weights[static_cast<std::size_t>(place)];
}

// The class token's row of every layer and head.
std::vector<float> ClassTokenRows(const std::vector<torch::Tensor>& layers) {
  std::vector<float> values;
  for (const torch::Tensor& weights : layers)
    AppendRow(weights.select(1, 0).flatten(), values);
  return values;
}

}  // namespace

render::AttentionReport AttentionMaps(ClassifierModelImpl& model,
                                      const Image& image,
                                      const std::string& name) {
  const ClassifierConfig& config = model.config();
  const Framing framing = FramingOf(config);
  const Image framed = Frame(image, framing);
  const std::vector<float> probabilities =
      Probabilities(InferenceModel(config, *nn::SourceOf(model)), {&framed, 1})
          .front();
  const int32_t best = BestClass(probabilities);
  const Trace trace =
      TracePicture(model, PictureBatch({&framed, 1}, config), best);
  const std::string& label = config.labels[static_cast<std::size_t>(best)];
  const int64_t side = PatchesPerSide(config);

  render::AttentionPanel panel;
  panel.name = "what the class token looks at";
  panel.query_axis = "class token";
  panel.key_axis = "patches";
  panel.queries = {kClassTokenLabel};
  panel.keys = TokenLabels(side);
  panel.layers = static_cast<int>(config.num_hidden_layers);
  panel.heads = static_cast<int>(config.num_attention_heads);
  panel.weights = ClassTokenRows(trace.weights);
  panel.statistics = render::StatisticsOf(panel);
  panel.key_picture = render::PictureAxis{
      Seen(image, framing), static_cast<int>(side), static_cast<int>(side), 1};
  panel.named_maps = {Named("rollout", Rollout(trace.weights)),
                      Named("relevance", Relevance(trace.relevance))};

  render::AttentionReport report;
  report.title =
      fmt::format("{}: {}, {:.1f} %", name, label,
                  100 * probabilities[static_cast<std::size_t>(best)]);
  report.notes = {fmt::format(
      "The picture is what the network sees, {} x {} pixels and more detail; "
      "relevance is that for {}.",
      config.image_size, config.image_size, label)};
  report.scale_top = ScaleTop(panel.weights);
  report.panels.push_back(std::move(panel));
  return report;
}

std::function<render::AttentionReport(const Image& image,
                                      const std::string& name)>
OpenAttentionMaps(const std::filesystem::path& model_folder) {
  return [model = ReadModule(model_folder)](const Image& image,
                                            const std::string& name) mutable {
    return AttentionMaps(*model, image, name);
  };
}

}  // namespace keylens::classifier
