// Training the classifier, on pictures of a few pixels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "src/checkpoint/safetensors.h"
#include "systems/classifier/pipeline.h"
#include "systems/classifier/training/run_training.h"
#include "systems/classifier/training/train.h"
#include "tests/classifier/folder.h"
#include "tests/classifier/tiny_classifier.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Bright on the left or on the right, with noise.
Image Half(bool right, uint64_t seed) {
  Random random({seed});
  Image image{12, 12, 3, {}};
  for (int i = 0; i < 144; ++i) {
    const bool bright = (i % 12 >= 6) == right;
    for (int c = 0; c < 3; ++c) {
      image.pixels.push_back(
          static_cast<uint8_t>((bright ? 150 : 20) + random.Below(80)));
    }
  }
  return image;
}

void WriteHalves(const Folder& folder, const std::string& split, int count,
                 uint64_t seed) {
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i) + ".png";
    for (const std::string side : {"left", "right"}) {
      const fs::path path = folder / (split + "/" + side + "/" + name);
      MakeFolder(path.parent_path());
      WritePng(path, Half(side == "right", seed + i));
    }
  }
}

TrainingRun TinyRun(const Folder& folder, const std::string& out,
                    int64_t steps) {
  TrainingRun run;
  run.data = folder.path();
  run.training.config = TinyConfig();
  run.training.augmentation = {.shift = 1, .flip = 0, .erase = 0.1};
  run.trainer.out = folder / out;
  run.trainer.steps = steps;
  run.trainer.default_batch = 16;
  run.trainer.workers = 2;
  run.trainer.metrics_steps = 10;
  run.trainer.average_decay = 0.9;
  run.trainer.schedule = {.learning_rate = 5e-3,
                          .warmup_steps = 5,
                          .decay_share = 0,
                          .decay_shape = train::DecayShape::kLinear};
  run.note = [](const std::string&) {};
  return run;
}

TEST(ClassifierTrainingTest, LearnsToTellAndIsMeasured) {
  const Folder folder;
  WriteHalves(folder, "train", 20, 100);
  WriteHalves(folder, "test", 10, 900);
  TrainingRun run = TinyRun(folder, "run", 60);
  run.training.held_out = 6;
  EXPECT_EQ(TrainClassifier(run).examples, 60 * 16);
  const auto sample =
      nlohmann::json::parse(ReadFile(folder / "run/samples/0000060.json"));
  EXPECT_EQ(sample.at("pictures"), 6);
  EXPECT_EQ(sample.at("held_out"), true);

  const Pipeline pipeline = Pipeline::Load(folder / "run/model");
  EXPECT_EQ(pipeline.labels(), (std::vector<std::string>{"left", "right"}));
  const Evaluation evaluation =
      pipeline.Evaluate(*OpenDataset(folder.path()), run.note);
  EXPECT_EQ(evaluation.pictures, 20);
  EXPECT_GT(evaluation.accuracy, 0.9);
}

// Every weight, moment and average of the checkpoint.
std::string StateOf(const fs::path& run) {
  const Safetensors file = Safetensors::Read(run / "checkpoint.safetensors");
  std::string bytes;
  for (const NamedTensor& tensor : file.tensors()) {
    bytes += tensor.name;
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
                 tensor.bytes.size());
  }
  return bytes;
}

TEST(ClassifierTrainingTest, ThreeStepsAndThreeMoreAreSix) {
  const Folder folder;
  WriteHalves(folder, "train", 8, 100);
  TrainingRun whole = TinyRun(folder, "whole", 6);
  whole.trainer.seed = 7;
  TrainClassifier(whole);
  TrainingRun parts = TinyRun(folder, "parts", 3);
  parts.trainer.seed = 7;
  TrainClassifier(parts);
  parts.trainer.resume = true;
  parts.trainer.steps = 6;
  parts.trainer.seed.reset();                  // the run knows its own
  parts.training.config = ClassifierConfig();  // the run knows its own
  TrainClassifier(parts);
  EXPECT_EQ(StateOf(folder / "whole"), StateOf(folder / "parts"));

  WriteHalves(folder, "other/train", 2, 1);
  MakeFolder(folder / "other/train/third");
  WritePng(folder / "other/train/third/0.png", Half(true, 1));
  parts.data = folder / "other";
  EXPECT_THAT(Refusal([&] { TrainClassifier(parts); }),
              HasSubstr("other classes"));
}

LabelledPictures SomeHalves(int count) {
  LabelledPictures all;
  for (int i = 0; i < count; ++i) {
    all.pictures.push_back(Half(i % 2 == 1, i));
    all.labels.push_back(i % 2);
  }
  return all;
}

TEST(ClassifierTaskTest, ExamplesAreTheSameForAnySharing) {
  ClassifierTraining training;
  training.config = TinyConfig();
  training.augmentation.erase = 0.5;
  const ClassifierTask task(SomeHalves(30), training);
  const ClassifierTask::Batch whole = task.MakeBatch({9, 4, 8, 0, 8});
  const ClassifierTask::Batch first = task.MakeBatch({9, 4, 8, 0, 3});
  const ClassifierTask::Batch rest = task.MakeBatch({9, 4, 8, 3, 5});
  EXPECT_TRUE(torch::equal(whole.pictures,
                           torch::cat({first.pictures, rest.pictures})));
  EXPECT_TRUE(
      torch::equal(whole.labels, torch::cat({first.labels, rest.labels})));
  const ClassifierTask::Batch next = task.MakeBatch({9, 5, 8, 0, 8});
  EXPECT_FALSE(torch::equal(whole.pictures, next.pictures));
}

TEST(ClassifierTaskTest, TheLossIsSmoothedCrossEntropy) {
  ClassifierTraining training;
  training.config = TinyConfig();
  training.label_smoothing = 0.3;
  ClassifierTask task(SomeHalves(10), training);
  const auto model = task.MakeModel();
  const train::Share share{1, 0, 4, 0, 4};
  const ClassifierTask::Batch batch = task.MakeBatch(share);
  const torch::Tensor log_probabilities =
      dynamic_cast<ClassifierModelImpl&>(*model)
          .forward(batch.pictures)
          .to(torch::kFloat64)
          .log_softmax(1);
  double expected = 0;
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t c = 0; c < 3; ++c) {
      const double target =
          0.3 / 3 + (batch.labels[i].item<int64_t>() == c ? 0.7 : 0);
      expected -= target * log_probabilities[i][c].item<double>() / 4;
    }
  }
  EXPECT_NEAR(task.Loss(*model, share).item<double>(), expected, 1e-5);
}

TEST(ClassifierTaskTest, HeldOutPicturesAreNeverLearntFrom) {
  ClassifierTraining training;
  training.config = TinyConfig();
  training.augmentation = {.shift = 0, .flip = 0, .erase = 0};
  training.held_out = 12;
  LabelledPictures all;
  for (int i = 0; i < 20; ++i) {
    all.pictures.push_back({12, 12, 3, std::vector<uint8_t>(432, 10 * i)});
    all.labels.push_back(0);
  }
  const ClassifierTask task(all, training);
  std::set<float> learnt;
  const ClassifierTask::Batch batch = task.MakeBatch({1, 0, 64, 0, 64});
  for (int64_t i = 0; i < 64; ++i)
    learnt.insert(batch.pictures[i].max().item<float>());
  EXPECT_EQ(learnt.size(), 8u);

  training.held_out = 20;
  EXPECT_THAT(Refusal([&] { ClassifierTask(all, training); }),
              HasSubstr("none is left to learn from"));
}

}  // namespace
}  // namespace keylens::classifier
