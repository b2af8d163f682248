#include "systems/classifier/predict.h"

#include <algorithm>
#include <cmath>

#include "src/base/finite.h"
#include "src/parallel/thread_pool.h"
#include "systems/classifier/picture_planes.h"

namespace keylens::classifier {
namespace {

// What runs through the network at once: its rows stay in a core's cache.
constexpr std::size_t kAtOnce = 8;

void AddSoftmax(std::span<const float> logits, double share,
                std::vector<double>& sum) {
  const double largest = *std::ranges::max_element(logits);
  double total = 0;
  for (const float logit : logits) total += std::exp(logit - largest);
  for (std::size_t i = 0; i < logits.size(); ++i)
    sum[i] += share * std::exp(logits[i] - largest) / total;
}

// Left and right of every row change places.
void Mirror(std::span<float> planes, int64_t width) {
  const auto size = static_cast<std::size_t>(width);
  for (std::size_t row = 0; row < planes.size(); row += size)
    std::ranges::reverse(planes.subspan(row, size));
}

std::vector<float> Planes(std::span<const Image> pictures,
                          const ClassifierConfig& config) {
  std::vector<float> planes;
  for (const Image& picture : pictures) {
    const std::vector<float> one = PlanesOf(picture, config);
    planes.insert(planes.end(), one.begin(), one.end());
  }
  return planes;
}

void Predict(const InferenceModel& model, std::span<const Image> pictures,
             std::span<std::vector<float>> results) {
  const ClassifierConfig& config = model.config();
  const std::size_t classes = config.labels.size();
  std::vector<std::vector<double>> sums(pictures.size(),
                                        std::vector<double>(classes));
  std::vector<float> planes = Planes(pictures, config);
  nn::InferenceBuffers buffers;
  for (int64_t view = 0; view < config.num_views; ++view) {
    if (view > 0) Mirror(planes, config.image_size);
    const std::vector<float> logits =
        model.Logits(planes, static_cast<int64_t>(pictures.size()), buffers);
    CheckResult(logits, "classifier");
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      AddSoftmax(std::span(logits).subspan(i * classes, classes),
                 1.0 / static_cast<double>(config.num_views), sums[i]);
    }
  }
  for (std::size_t i = 0; i < pictures.size(); ++i)
    results[i].assign(sums[i].begin(), sums[i].end());
}

}  // namespace

std::vector<float> PlanesOf(const Image& picture,
                            const ClassifierConfig& config) {
  std::vector<float> planes(static_cast<std::size_t>(
      config.num_channels * config.image_size * config.image_size));
  WritePlanes(picture, NormalisationOf(config), planes);
  return planes;
}

std::vector<std::vector<float>> Probabilities(const InferenceModel& model,
                                              std::span<const Image> pictures) {
  std::vector<std::vector<float>> results(pictures.size());
  const auto part = [&](auto all, int64_t unit) {
    const std::size_t first = static_cast<std::size_t>(unit) * kAtOnce;
    return all.subspan(first, std::min(kAtOnce, all.size() - first));
  };
  const auto units =
      static_cast<int64_t>((pictures.size() + kAtOnce - 1) / kAtOnce);
  const auto predict = [&](int64_t unit) {
    Predict(model, part(pictures, unit), part(std::span(results), unit));
  };
  if (units == 1) {
    predict(0);
    return results;
  }
  ThreadPool pool;
  ForEach(pool, units, predict);
  return results;
}

int32_t BestClass(std::span<const float> probabilities) {
  return static_cast<int32_t>(std::ranges::max_element(probabilities) -
                              probabilities.begin());
}

}  // namespace keylens::classifier
