// Training the generator, on pictures of a few pixels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "systems/generator/training/train.h"
#include "tests/generator/tiny_generator.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<double> Losses(const fs::path& run) {
  std::ifstream lines(run / "metrics.jsonl");
  std::vector<double> losses;
  for (std::string line; std::getline(lines, line);) {
    losses.push_back(nlohmann::json::parse(line).at("loss"));
  }
  return losses;
}

TEST(GeneratorTrainingTest, TheLossFalls) {
  const TestFolder folder("loss");
  WriteDiscs(folder.path());
  TrainingRun run = TinyRun(folder.path(), folder.path() / "run", 120);
  const train::TrainingResult result = TrainGenerator(run);
  const std::vector<double> losses = Losses(run.trainer.out);
  ASSERT_EQ(losses.size(), 12u);
  EXPECT_LT(losses.back(), 0.7 * losses.front());
  EXPECT_EQ(result.examples, 120 * 8);
  EXPECT_TRUE(fs::exists(run.trainer.out / "samples/0000120.png"));
}

// Every weight, moment and average of the checkpoint.
std::string StateOf(const TrainingRun& run) {
  const Safetensors file =
      Safetensors::Read(run.trainer.out / "checkpoint.safetensors");
  std::string bytes;
  for (const NamedTensor& tensor : file.tensors()) {
    bytes += tensor.name;
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
                 tensor.bytes.size());
  }
  return bytes;
}

TEST(GeneratorTrainingTest, ThreeStepsAndThreeMoreAreSix) {
  const TestFolder folder("resume");
  WriteDiscs(folder.path());
  TrainingRun whole = TinyRun(folder.path(), folder.path() / "whole", 6);
  whole.trainer.schedule.decay_share = 0;
  whole.trainer.seed = 7;
  TrainGenerator(whole);
  TrainingRun parts = TinyRun(folder.path(), folder.path() / "parts", 3);
  parts.trainer.schedule.decay_share = 0;
  parts.trainer.seed = 7;
  TrainGenerator(parts);
  parts.trainer.resume = true;
  parts.trainer.seed.reset();  // the run knows its own
  parts.trainer.steps = 6;
  parts.training.config = GeneratorConfig();  // the run knows its own
  TrainGenerator(parts);
  EXPECT_EQ(StateOf(whole), StateOf(parts));
}

TEST(GeneratorTrainingTest, ExamplesAreTheSameForAnySharing) {
  const TestFolder folder("shares");
  WriteDiscs(folder.path());
  const TrainingRun run = TinyRun(folder.path(), folder.path(), 1);
  std::vector<CaptionedPicture> pictures =
      ReadPictureSet(folder.path(), 16, run.note);
  const fs::path tokenizer = folder.path() / "spiece.model";
  TrainPromptTokenizer(pictures, tokenizer);
  const GeneratorTask task(pictures, tokenizer, run.training);
  const auto all = task.MakeBatch({3, 5, 8, 0, 8});
  const auto part = task.MakeBatch({3, 5, 8, 4, 2});
  EXPECT_TRUE(all.noise.narrow(0, 4, 2).equal(part.noise));
  EXPECT_TRUE(all.pictures.narrow(0, 4, 2).equal(part.pictures));
  EXPECT_TRUE(all.time.narrow(0, 4, 2).equal(part.time));
  const auto next = task.MakeBatch({3, 6, 8, 0, 8});
  EXPECT_FALSE(all.noise.equal(next.noise));
}

// One time in each eighth of the distribution that is asked for.
TEST(GeneratorTrainingTest, EveryBatchSeesAllTimesEvenly) {
  const TestFolder folder("times");
  WriteDiscs(folder.path());
  TrainingRun run = TinyRun(folder.path(), folder.path(), 1);
  run.training.time_shift = 0;
  run.training.time_spread = 1;  // uniform
  std::vector<CaptionedPicture> pictures =
      ReadPictureSet(folder.path(), 16, run.note);
  const fs::path tokenizer = folder.path() / "spiece.model";
  TrainPromptTokenizer(pictures, tokenizer);
  const GeneratorTask task(pictures, tokenizer, run.training);
  for (int64_t step = 0; step < 20; ++step) {
    const torch::Tensor time =
        std::get<0>(task.MakeBatch({1, step, 8, 0, 8}).time.sort());
    for (int64_t i = 0; i < 8; ++i) {
      EXPECT_GE(time[i].item<double>(), i / 8.0 - 1e-3);
      EXPECT_LE(time[i].item<double>(), (i + 1) / 8.0 + 1e-3);
    }
  }
}

TEST(GeneratorTrainingTest, AFolderWithoutCaptionsIsRefused) {
  const TestFolder folder("no_captions");
  WritePng(folder.path() / "a.png", Disc(16, 1, 2, 3));
  try {
    TrainGenerator(TinyRun(folder.path(), folder.path() / "run", 1));
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no captions"));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "run"));
}

TEST(GeneratorTrainingTest, NothingButHeldOutPicturesIsRefused) {
  const TestFolder folder("held_out");
  WritePng(folder.path() / "a.png", Disc(16, 1, 2, 3));
  WriteFileAtomically(
      folder.path() / "metadata.jsonl",
      R"({"file_name":"a.png","text":"a disc","split":"held_out"})");
  EXPECT_THROW(TrainGenerator(TinyRun(folder.path(), folder.path() / "r", 1)),
               Error);
}

}  // namespace
}  // namespace keylens::generator
