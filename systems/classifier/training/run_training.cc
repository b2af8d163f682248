#include "systems/classifier/training/run_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/train/trainer.h"
#include "systems/classifier/training/train.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

void TakeTraits(const Dataset& dataset, ClassifierConfig& config) {
  const PictureTraits traits = dataset.traits();
  config.labels = dataset.classes();
  config.num_channels = traits.channels;
  config.ground = traits.ground;
  config.content_size = traits.size == 0
                            ? config.image_size
                            : std::min<int64_t>(traits.size, config.image_size);
}

double Rounded(double value) { return std::round(value * 1e4) / 1e4; }

void TakeMoments(const LabelledPictures& all, ClassifierConfig& config) {
  std::array<double, 256> counts = {};
  for (const Image& image : all.pictures) {
    for (const uint8_t value : image.pixels) ++counts[value];
  }
  double count = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double value = static_cast<double>(i) / 255;
    count += counts[i];
    sum += counts[i] * value;
    squares += counts[i] * value * value;
  }
  const double mean = sum / count;
  config.image_mean = Rounded(mean);
  // Flat pictures are not to be blown up.
  config.image_std = std::max(
      0.01, Rounded(std::sqrt(std::max(0.0, squares / count - mean * mean))));
}

void CheckClasses(const fs::path& data, const Dataset& dataset) {
  if (dataset.classes().size() >= 2) return;
  throw Error(fmt::format(
      "{}: pictures that can be read are in {}; to tell apart there have to "
      "be two classes",
      data.string(),
      dataset.classes().empty() ? "no folder" : "one folder only"));
}

void CheckLabels(const fs::path& data, const Dataset& dataset,
                 const ClassifierConfig& config) {
  if (dataset.classes() == config.labels) return;
  throw Error(data.string() +
              ": has other classes than the run that --resume goes on with");
}

}  // namespace

train::TrainingResult TrainClassifier(TrainingRun run) {
  train::SettleRun(run.trainer);
  run.training.seed = *run.trainer.seed;
  const auto dataset = OpenDataset(run.data);
  CheckClasses(run.data, *dataset);
  ClassifierConfig& config = run.training.config;
  const fs::path kept = run.trainer.out / "model" / "config.json";
  const bool resumed = run.trainer.resume && fs::exists(kept);
  if (resumed) {
    config = ReadClassifierConfig(kept);
    CheckLabels(run.data, *dataset, config);
  } else {
    TakeTraits(*dataset, config);
    config.num_views = run.training.augmentation.flip > 0 ? 2 : 1;
  }
  LabelledPictures pictures =
      ReadPictures(*dataset, Split::kTrain, FramingOf(config), run.note);
  if (!resumed) TakeMoments(pictures, config);
  run.note(fmt::format("{} pictures of {} classes", pictures.pictures.size(),
                       config.labels.size()));
  ClassifierTask task(std::move(pictures), run.training);
  return train::Train(task, run.trainer);
}

}  // namespace keylens::classifier
