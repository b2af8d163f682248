// A run that is interrupted, killed or damaged.

#include "src/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/random/random.h"

namespace keylens::train {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A line to be fitted to the points of another, each drawn as the task is asked
// to: from seed, step and example.
class LineTask : public Task {
 public:
  std::shared_ptr<torch::nn::Module> MakeModel() override {
    torch::manual_seed(5);
    return std::make_shared<torch::nn::LinearImpl>(kInputs, 1);
  }

  torch::Tensor Loss(torch::nn::Module& model, const Share& share) override {
    if (before_loss && share.first == 0) before_loss(share.step);
    torch::Tensor x = torch::empty({share.count, kInputs});
    for (int64_t i = 0; i < share.count; ++i) {
      Random random({share.seed, static_cast<uint64_t>(share.step),
                     static_cast<uint64_t>(share.first + i)});
      random.FillNormal({x.data_ptr<float>() + i * kInputs, kInputs});
    }
    // Written out, since libtorch's own product may use threads.
    auto& line = dynamic_cast<torch::nn::LinearImpl&>(model);
    const torch::Tensor y = (x * line.weight).sum(1) + line.bias;
    return torch::mse_loss(y, x.sum(1) + 1);
  }

  void WriteSamples(torch::nn::Module&, const fs::path& folder,
                    int64_t step) override {
    WriteFileAtomically(folder / std::to_string(step), "sample");
  }

  void Export(torch::nn::Module& model, const fs::path& folder) override {
    MakeFolder(folder);
    auto& line = dynamic_cast<torch::nn::LinearImpl&>(model);
    WriteFileAtomically(folder / "bias",
                        std::to_string(line.bias.item<float>()));
  }

  std::string examples_name() const override { return "points"; }

  std::function<void(int64_t step)> before_loss;

 private:
  static constexpr int64_t kInputs = 37;
};

class TrainerTest : public ::testing::Test {
 protected:
  TrainerTest()
      : root_(fs::path(::testing::TempDir()) /
              ("keylens_trainer_" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~TrainerTest() override { fs::remove_all(root_); }

  TrainerOptions Options(const std::string& name, int64_t steps) const {
    TrainerOptions options;
    options.out = root_ / name;
    options.steps = steps;
    options.batch = 6;
    options.seed = 11;
    options.workers = 2;
    options.schedule.warmup_steps = 2;
    options.metrics_steps = 2;
    return options;
  }

  static fs::path Checkpoint(const TrainerOptions& options) {
    return options.out / "checkpoint.safetensors";
  }

  fs::path root_;
};

std::string TensorBytes(const fs::path& checkpoint) {
  const Safetensors file = Safetensors::Read(checkpoint);
  std::string bytes;
  for (const NamedTensor& tensor : file.tensors()) {
    bytes += tensor.name;
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
                 tensor.bytes.size());
  }
  return bytes;
}

TEST_F(TrainerTest, TheLossFallsAndTheRunLeavesWhatItPromises) {
  LineTask task;
  TrainerOptions options = Options("run", 300);
  options.schedule.learning_rate = 0.05;
  const TrainingResult result = Train(task, options);
  EXPECT_EQ(result.steps, 300);
  EXPECT_EQ(result.examples, 1800);
  EXPECT_FALSE(result.interrupted);
  EXPECT_LT(result.loss, 0.1);  // it starts above 30
  EXPECT_TRUE(fs::exists(options.out / "samples/300"));
  EXPECT_TRUE(fs::exists(options.out / "model/bias"));
  EXPECT_THAT(ReadFile(options.out / "metrics.jsonl"),
              HasSubstr("\"step\":300"));
}

TEST_F(TrainerTest, CtrlCAndResumeEqualNeverHavingStopped) {
  LineTask task;
  const TrainerOptions whole = Options("whole", 6);
  Train(task, whole);

  TrainerOptions parts = Options("parts", 6);
  task.before_loss = [](int64_t step) {
    if (step == 2) std::raise(SIGINT);
  };
  const TrainingResult stopped = Train(task, parts);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.steps, 3);  // the step under way is finished
  task.before_loss = nullptr;
  parts.resume = true;
  parts.seed.reset();  // the run knows its own
  parts.batch.reset();
  EXPECT_EQ(Train(task, parts).steps, 6);

  EXPECT_EQ(TensorBytes(Checkpoint(whole)), TensorBytes(Checkpoint(parts)));
}

TEST_F(TrainerTest, TheNumberOfWorkersOnlyRegroupsTheSum) {
  LineTask task;
  TrainerOptions one = Options("one", 5), three = Options("three", 5);
  one.workers = 1;
  three.workers = 3;
  EXPECT_NEAR(Train(task, one).loss, Train(task, three).loss, 1e-4);
}

// A child trains and writes a checkpoint after every step; it is killed at
// moments of its own choosing, most of them amid a write.
TEST_F(TrainerTest, KilledAtAnyMomentItCanBeResumed) {
  TrainerOptions options = Options("killed", 1000000);
  options.checkpoint_seconds = 0;
  options.workers = 1;
  options.resume = true;
  int64_t last = 0;
  for (const int milliseconds : {30, 53, 71, 97}) {
    const pid_t child = fork();
    if (child == 0) {
      LineTask task;
      Train(task, options);
      _exit(0);
    }
    while (!fs::exists(Checkpoint(options))) usleep(1000);
    usleep(milliseconds * 1000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));

    LineTask task;
    TrainerOptions resumed = options;
    int64_t first = -1;
    task.before_loss = [&](int64_t step) {
      if (first < 0) first = step;
      std::raise(SIGINT);
    };
    Train(task, resumed);
    EXPECT_GT(first, last);  // nothing older than the last kill
    last = first;
  }
}

TEST_F(TrainerTest, AFolderWithARunIsNotOverwritten) {
  LineTask task;
  const TrainerOptions options = Options("run", 2);
  Train(task, options);
  const std::string before = ReadFile(Checkpoint(options));
  try {
    Train(task, options);
    FAIL() << "it was overwritten";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--resume"));
  }
  EXPECT_EQ(ReadFile(Checkpoint(options)), before);
}

TEST_F(TrainerTest, ADamagedCheckpointIsNamed) {
  LineTask task;
  TrainerOptions options = Options("run", 2);
  Train(task, options);
  options.resume = true;
  const std::string bytes = ReadFile(Checkpoint(options));
  WriteFileAtomically(Checkpoint(options), bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(Train(task, options), Error);
  WriteSafetensors(Checkpoint(options), {}, {{"progress", "{}"}});
  try {
    Train(task, options);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("checkpoint.safetensors"));
  }
}

TEST_F(TrainerTest, ALossThatIsNeverFiniteEndsTheRun) {
  class NanTask : public LineTask {
    torch::Tensor Loss(torch::nn::Module& model, const Share& share) override {
      return LineTask::Loss(model, share) * NAN;
    }
  } task;
  EXPECT_THROW(Train(task, Options("nan", 100)), Error);
}

}  // namespace
}  // namespace keylens::train
