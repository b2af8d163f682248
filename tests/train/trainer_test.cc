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
#include <thread>
#include <vector>

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

  std::string WriteSamples(torch::nn::Module&, const fs::path& folder,
                           int64_t step) override {
    WriteFileAtomically(folder / std::to_string(step), "sample");
    return "sample of step " + std::to_string(step);
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
  EXPECT_LT(result.loss.value(), 0.1);  // it starts above 30
  EXPECT_TRUE(fs::exists(options.out / "samples/300"));
  EXPECT_TRUE(fs::exists(options.out / "model/bias"));
  EXPECT_THAT(ReadFile(options.out / "metrics.jsonl"),
              HasSubstr("\"step\":300"));
}

TEST_F(TrainerTest, StopAndResumeEqualNeverHavingStopped) {
  LineTask task;
  const TrainerOptions whole = Options("whole", 6);
  Train(task, whole);

  TrainerOptions parts = Options("parts", 6);
  StopSource stop;
  parts.stop = stop.token();
  task.before_loss = [&](int64_t step) {
    if (step == 2) stop.RequestStop();
  };
  const TrainingResult stopped = Train(task, parts);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.steps, 3);  // the step under way is finished
  task.before_loss = nullptr;
  parts.stop = {};
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
  EXPECT_NEAR(Train(task, one).loss.value(), Train(task, three).loss.value(),
              1e-4);
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
    StopSource stop;
    resumed.stop = stop.token();
    int64_t first = -1;
    task.before_loss = [&](int64_t step) {
      if (first < 0) first = step;
      stop.RequestStop();
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

// From step `from` on the loss is what `factor` makes of it.
class SpoiltTask : public LineTask {
 public:
  SpoiltTask(int64_t from, float factor) : from_(from), factor_(factor) {}

  torch::Tensor Loss(torch::nn::Module& model, const Share& share) override {
    const torch::Tensor loss = LineTask::Loss(model, share);
    return share.step < from_ ? loss : loss * factor_;
  }

 private:
  int64_t from_;
  float factor_;
};

std::string ErrorOf(Task& task, const TrainerOptions& options) {
  try {
    Train(task, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// However a run ends in which the loss has lost its way, the last state before
// is what is left of it: at the end, at a stop, with a checkpoint due at each
// step.
TEST_F(TrainerTest, ADivergedStateIsNeverWritten) {
  LineTask good;
  const TrainerOptions expected = Options("expected", 5);
  Train(good, expected);
  for (const float factor : {NAN, INFINITY, -INFINITY, 1e9f}) {
    for (const double seconds : {0.0, 90.0}) {
      for (const bool stopped : {false, true}) {
        TrainerOptions options = Options("run", 5);
        fs::remove_all(options.out);
        Train(good, options);
        const std::string model = ReadFile(options.out / "model/bias");
        SpoiltTask spoilt(5, factor);
        StopSource stop;
        options.stop = stop.token();
        spoilt.before_loss = [&](int64_t step) {
          if (stopped && step == 6) stop.RequestStop();
        };
        options.resume = true;
        options.steps = 9;
        options.checkpoint_seconds = seconds;
        EXPECT_THAT(ErrorOf(spoilt, options), HasSubstr("step 5 is kept"));
        EXPECT_EQ(TensorBytes(Checkpoint(options)),
                  TensorBytes(Checkpoint(expected)));
        EXPECT_EQ(ReadFile(options.out / "model/bias"), model);
      }
    }
  }
}

// What the message advises.
TEST_F(TrainerTest, ADivergedRunGoesOnWithASmallerRate) {
  LineTask task;
  TrainerOptions options = Options("run", 4);
  options.schedule.decay_share = 0;
  TrainerOptions wild = options;
  Train(task, options);
  wild.resume = true;
  wild.steps = 1000;
  wild.schedule.learning_rate = 1e12;
  wild.optimizer.clip_norm = 0;
  wild.checkpoint_seconds = 0;
  EXPECT_THAT(ErrorOf(task, wild), HasSubstr("smaller --lr"));
  options.resume = true;
  options.steps = 300;
  options.schedule.learning_rate = 0.05;
  const TrainingResult result = Train(task, options);
  EXPECT_EQ(result.steps, 300);
  EXPECT_LT(result.loss.value(), 1);  // it starts above 30
}

TEST_F(TrainerTest, ARunThatDivergesAtOnceLeavesNoCheckpoint) {
  SpoiltTask task(0, NAN);
  TrainerOptions options = Options("run", 5);
  options.checkpoint_seconds = 0;
  EXPECT_THAT(ErrorOf(task, options), HasSubstr("no checkpoint"));
  EXPECT_FALSE(fs::exists(Checkpoint(options)));
  EXPECT_FALSE(fs::exists(options.out / "model"));
}

TEST_F(TrainerTest, WithNothingLeftToDoNothingIsWritten) {
  LineTask task;
  TrainerOptions options = Options("run", 4);
  Train(task, options);
  const std::string before = ReadFile(Checkpoint(options));
  options.resume = true;
  options.steps = 3;
  const TrainingResult result = Train(task, options);
  EXPECT_FALSE(result.loss);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.steps, 4);
  EXPECT_EQ(ReadFile(Checkpoint(options)), before);
}

TEST_F(TrainerTest, ARunKeepsItsSeed) {
  LineTask task;
  TrainerOptions options = Options("run", 2);
  Train(task, options);
  options.resume = true;
  options.seed = 12;
  const std::string error = ErrorOf(task, options);
  EXPECT_THAT(error, HasSubstr("--seed 12"));
  EXPECT_THAT(error, HasSubstr("has seed 11"));
}

TEST_F(TrainerTest, TheCallersThreadKeepsItsNumberOfTorchThreads) {
  at::set_num_threads(3);
  LineTask task;
  Train(task, Options("run", 2));
  EXPECT_EQ(at::get_num_threads(), 3);
  int of_another = 0;
  std::thread([&] { of_another = at::get_num_threads(); }).join();
  EXPECT_EQ(of_another, 3);
  at::set_num_threads(1);
}

TEST_F(TrainerTest, EachWorkerHasOneTorchThread) {
  at::set_num_threads(3);
  LineTask task;
  task.before_loss = [](int64_t) {
    EXPECT_EQ(at::get_num_threads(), 1);
    // Torch sets the number at a thread's first region, if not before.
    at::parallel_for(0, 64, 1, [](int64_t, int64_t) {});
    EXPECT_EQ(at::get_num_threads(), 1);
  };
  TrainerOptions options = Options("run", 2);
  options.workers = 1;
  Train(task, options);
  at::set_num_threads(1);
}

TEST_F(TrainerTest, SaysWhatHappensToWhoeverShowsIt) {
  LineTask task;
  TrainerOptions options = Options("run", 3);
  std::vector<std::string> notes;
  std::vector<int64_t> steps;
  options.note = [&](const std::string& line) { notes.push_back(line); };
  options.progress = [&](const ProgressReport& report) {
    steps.push_back(report.step);
    EXPECT_EQ(report.examples_name, "points");
    EXPECT_GT(report.loss, 0);
  };
  ::testing::internal::CaptureStderr();
  Train(task, options);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(steps, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(notes, (std::vector<std::string>{"sample of step 3"}));
}

TEST_F(TrainerTest, ItWritesWhatItWasTold) {
  LineTask task;
  TrainerOptions options = Options("run", 3);
  options.run_file = RunFile{"line", {{"lr", {"0.5"}}}};
  Train(task, options);
  const auto file = ReadRunFile(options.out);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->options, options.run_file->options);
}

TEST_F(TrainerTest, AFolderWithinTheDataIsRefused) {
  const fs::path data = root_ / "data";
  fs::create_directories(data / "blue");
  fs::create_directory_symlink(data / "blue", root_ / "link");
  for (const fs::path& run :
       {data, data / "", data / "run", data / "blue/../x/run", root_ / "link",
        root_ / "link/run"}) {
    EXPECT_THROW(CheckOutsideData(run, data), Error) << run;
  }
  EXPECT_NO_THROW(CheckOutsideData(root_ / "data2", data));
  EXPECT_NO_THROW(CheckOutsideData(root_, data));
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
