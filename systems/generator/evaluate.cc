#include "systems/generator/evaluate.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "src/base/error.h"
#include "src/random/random.h"

namespace keylens::generator {
namespace {

using Pixels = std::vector<uint8_t>;  // RGB over white

int64_t SquaredDistance(const Pixels& a, const Pixels& b) {
  int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int difference = int{a[i]} - int{b[i]};
    sum += difference * difference;
  }
  return sum;
}

std::vector<Pixels> AllPixels(const std::vector<CaptionedPicture>& pictures) {
  std::vector<Pixels> all;
  for (const CaptionedPicture& picture : pictures) {
    all.push_back(OverWhite(picture.image).pixels);
  }
  return all;
}

// How many pictures are nearer to the drawing than its own.
int64_t RankOf(const Pixels& drawing, std::size_t target,
               const std::vector<Pixels>& all) {
  const int64_t own = SquaredDistance(drawing, all[target]);
  return std::count_if(all.begin(), all.end(), [&](const Pixels& other) {
    return SquaredDistance(drawing, other) < own;
  });
}

std::vector<std::size_t> Indices(const std::vector<CaptionedPicture>& pictures,
                                 bool held_out) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (pictures[i].held_out == held_out) indices.push_back(i);
  }
  return indices;
}

std::vector<std::size_t> RandomChoice(std::vector<std::size_t> from,
                                      std::size_t count, uint64_t seed) {
  count = std::min(count, from.size());
  Random random({seed, 5});
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(from[i], from[i + random.Below(from.size() - i)]);
  }
  from.resize(count);
  return from;
}

// Every target is another's.
std::vector<std::size_t> Rotated(std::vector<std::size_t> targets) {
  if (!targets.empty()) {
    std::rotate(targets.begin(), targets.begin() + 1, targets.end());
  }
  return targets;
}

std::vector<Image> DrawTargets(const Pipeline& pipeline,
                               const std::vector<CaptionedPicture>& pictures,
                               const std::vector<std::size_t>& targets,
                               const EvaluationOptions& options,
                               const DrawControl& control) {
  std::vector<DrawRequest> requests;
  for (const std::size_t target : targets) {
    requests.push_back(
        {pictures[target].text, "", options.seed + requests.size(), false});
  }
  std::vector<Image> images(requests.size());
  const std::size_t drawn = pipeline.Draw(
      requests, options.settings,
      [&](std::size_t index, Drawing&& drawing) {
        images[index] = std::move(drawing.picture);
      },
      control);
  if (drawn < requests.size()) throw Error("stopped before all was drawn");
  return images;
}

template <typename T>
std::vector<T> Part(const std::vector<T>& all, std::size_t first,
                    std::size_t last) {
  return {all.begin() + first, all.begin() + last};
}

}  // namespace

Recall RecallOf(const std::vector<Image>& drawings,
                const std::vector<std::size_t>& targets,
                const std::vector<CaptionedPicture>& pictures) {
  if (drawings.size() != targets.size()) {
    throw std::invalid_argument("RecallOf: a target for each drawing");
  }
  Recall recall;
  const std::vector<Pixels> all = AllPixels(pictures);
  recall.captions = static_cast<int64_t>(drawings.size());
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    const Pixels pixels = OverWhite(drawings[i]).pixels;
    if (pixels.size() != all[targets[i]].size()) {
      throw std::invalid_argument("RecallOf: drawings of another size");
    }
    const int64_t rank = RankOf(pixels, targets[i], all);
    recall.at_1 += rank < 1 ? 1 : 0;
    recall.at_5 += rank < 5 ? 1 : 0;
  }
  if (recall.captions > 0) {
    recall.at_1 /= static_cast<double>(recall.captions);
    recall.at_5 /= static_cast<double>(recall.captions);
  }
  return recall;
}

Evaluation EvaluateGenerator(const Pipeline& pipeline,
                             const std::vector<CaptionedPicture>& pictures,
                             const EvaluationOptions& options,
                             const DrawControl& control) {
  const std::vector<std::size_t> train = RandomChoice(
      Indices(pictures, false),
      static_cast<std::size_t>(options.train_captions), options.seed);
  const std::vector<std::size_t> held_out = Indices(pictures, true);
  std::vector<std::size_t> targets = train;
  targets.insert(targets.end(), held_out.begin(), held_out.end());
  const std::vector<Image> drawings =
      DrawTargets(pipeline, pictures, targets, options, control);
  const std::vector<Image> of_train = Part(drawings, 0, train.size());
  const std::vector<Image> of_held_out =
      Part(drawings, train.size(), drawings.size());
  return {RecallOf(of_train, train, pictures),
          RecallOf(of_held_out, held_out, pictures),
          RecallOf(of_train, Rotated(train), pictures),
          RecallOf(of_held_out, Rotated(held_out), pictures)};
}

}  // namespace keylens::generator
