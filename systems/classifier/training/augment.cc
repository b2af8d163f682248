#include "systems/classifier/training/augment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace keylens::classifier {
namespace {

struct Move {
  int right = 0, down = 0;  // pixels
  bool flip = false;
};

struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

void CheckPlanes(const Image& image, std::span<float> planes) {
  if (image.pixels.size() != planes.size()) {
    throw std::invalid_argument("WriteAugmented: planes of another size");
  }
}

void WriteMoved(const Image& image, const Move& move,
                const std::array<float, 256>& levels, std::span<float> planes) {
  std::fill(planes.begin(), planes.end(), levels[0]);
  const int width = image.width, height = image.height;
  const int channels = image.channels;
  for (int y = std::max(0, move.down); y < std::min(height, height + move.down);
       ++y) {
    for (int x = std::max(0, move.right);
         x < std::min(width, width + move.right); ++x) {
      const int column = x - move.right;
      const int from = move.flip ? width - 1 - column : column;
      const uint8_t* pixel =
          &image.pixels[(int64_t{y - move.down} * width + from) * channels];
      for (int c = 0; c < channels; ++c)
        planes[(int64_t{c} * height + y) * width + x] = levels[pixel[c]];
    }
  }
}

int DrawShift(int64_t most, Random& random) {
  return static_cast<int>(static_cast<int64_t>(random.Below(2 * most + 1)) -
                          most);
}

int DrawSide(double side, int most) {
  return std::clamp(static_cast<int>(std::lround(side)), 1, most);
}

Rectangle DrawRectangle(const Image& image, Random& random) {
  const double area =
      (0.02 + 0.18 * random.Uniform()) * image.width * image.height;
  // From 3 : 10 to 10 : 3, both sides alike.
  const double aspect =
      std::exp(std::log(10.0 / 3) * (2 * random.Uniform() - 1));
  Rectangle hole;
  hole.width = DrawSide(std::sqrt(area * aspect), image.width);
  hole.height = DrawSide(std::sqrt(area / aspect), image.height);
  hole.x = static_cast<int>(random.Below(image.width - hole.width + 1));
  hole.y = static_cast<int>(random.Below(image.height - hole.height + 1));
  return hole;
}

void Erase(const Image& image, const Rectangle& hole, std::span<float> planes) {
  for (int row = 0; row < image.channels * image.height; ++row) {
    const int y = row % image.height;
    if (y < hole.y || y >= hole.y + hole.height) continue;
    std::fill_n(planes.begin() + int64_t{row} * image.width + hole.x,
                hole.width, 0.0f);
  }
}

}  // namespace

void WriteAugmented(const Image& image, const Normalisation& normalisation,
                    const Augmentation& augmentation, Random& random,
                    std::span<float> planes) {
  CheckPlanes(image, planes);
  Move move;
  move.right = DrawShift(augmentation.shift, random);
  move.down = DrawShift(augmentation.shift, random);
  move.flip = random.Uniform() < augmentation.flip;
  WriteMoved(image, move, LevelsOf(normalisation), planes);
  if (random.Uniform() < augmentation.erase)
    Erase(image, DrawRectangle(image, random), planes);
}

}  // namespace keylens::classifier
