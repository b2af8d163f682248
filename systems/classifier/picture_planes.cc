#include "systems/classifier/picture_planes.h"

#include <stdexcept>

namespace keylens::classifier {

Normalisation NormalisationOf(const ClassifierConfig& config) {
  return {static_cast<float>(config.image_mean),
          static_cast<float>(config.image_std)};
}

std::array<float, 256> LevelsOf(const Normalisation& normalisation) {
  std::array<float, 256> levels;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i] = (static_cast<float>(i) / 255 - normalisation.mean) /
                normalisation.deviation;
  }
  return levels;
}

void WritePlanes(const Image& image, const Normalisation& normalisation,
                 std::span<float> planes) {
  if (image.pixels.size() != planes.size())
    throw std::invalid_argument("WritePlanes: planes of another size");
  const std::array<float, 256> levels = LevelsOf(normalisation);
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t plane = planes.size() / channels;
  for (std::size_t i = 0; i < planes.size(); ++i)
    planes[i % channels * plane + i / channels] = levels[image.pixels[i]];
}

}  // namespace keylens::classifier
