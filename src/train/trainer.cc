#include "src/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/train/checkpoint.h"
#include "src/train/clock.h"
#include "src/train/flat_parameters.h"
#include "src/train/interrupt.h"
#include "src/train/metrics.h"
#include "src/train/progress_line.h"
#include "src/train/workers.h"

namespace keylens::train {
namespace {

// A step whose gradient overflowed is skipped; so many in a row are a failure.
constexpr int kMaxBadSteps = 20;

int WorkerCount(int asked) {
  if (asked > 0) return asked;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// While this lives, the model's weights are the averaged ones.
class AveragedWeights {
 public:
  AveragedWeights(torch::Tensor values, const torch::Tensor& average)
      : values_(std::move(values)), kept_(values_.clone()) {
    values_.copy_(average);
  }
  ~AveragedWeights() { values_.copy_(kept_); }
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  torch::Tensor values_;
  torch::Tensor kept_;
};

// Sums since the last line of metrics.
struct Window {
  double loss = 0;
  double gradient_norm = 0;
  int64_t steps = 0;
  int64_t examples = 0;
  double start = SteadySeconds();
};

class Run {
 public:
  Run(Task& task, const TrainerOptions& options);
  TrainingResult Loop();

 private:
  void Resume();
  double RunSeconds() const;
  double ShareDone() const;
  bool AtEnd() const;
  void Step();
  double ComputeGradient();
  void Follow(double loss, double norm);
  void WriteMetrics();
  void ShowProgress();
  void SaveWhenDue();
  void Checkpoint();
  void Sample();

  std::filesystem::path CheckpointPath() const {
    return options_.out / "checkpoint.safetensors";
  }

  Task& task_;
  const TrainerOptions options_;
  std::vector<std::shared_ptr<torch::nn::Module>> models_;  // one a worker
  FlatParameters parameters_;
  std::vector<torch::Tensor> gradients_;  // flat, one a worker
  torch::Tensor average_;
  Optimizer optimizer_;
  Progress progress_;
  double sitting_start_ = SteadySeconds();
  double seconds_before_ = 0;  // of training, in earlier sittings
  double last_checkpoint_ = SteadySeconds();
  double last_sample_ = SteadySeconds();
  int bad_steps_ = 0;
  bool stopped_ = false;  // by the task
  double learning_rate_ = 0;
  double last_loss_ = 0;
  double rate_ = 0;  // examples per second, smoothed
  Window window_;
  ProgressLine line_;
  std::optional<MetricsFile> metrics_;
  Workers workers_;
};

std::vector<std::shared_ptr<torch::nn::Module>> MakeModels(Task& task,
                                                           int count) {
  std::vector<std::shared_ptr<torch::nn::Module>> models;
  for (int i = 0; i < count; ++i) {
    models.push_back(task.MakeModel());
    models.back()->train();
  }
  return models;
}

std::vector<torch::Tensor> AttachAll(
    const FlatParameters& parameters,
    const std::vector<std::shared_ptr<torch::nn::Module>>& models) {
  std::vector<torch::Tensor> gradients;
  for (const auto& model : models) {
    gradients.push_back(parameters.Attach(*model));
  }
  return gradients;
}

Run::Run(Task& task, const TrainerOptions& options)
    : task_(task),
      options_(options),
      models_(MakeModels(task, WorkerCount(options.workers))),
      parameters_(*models_[0]),
      gradients_(AttachAll(parameters_, models_)),
      average_(parameters_.values().clone()),
      optimizer_(parameters_.values(), gradients_, average_, options.optimizer),
      workers_(static_cast<int>(models_.size())) {
  MakeFolder(options_.out);
  const bool started = std::filesystem::exists(CheckpointPath());
  if (started && !options_.resume) {
    throw Error(options_.out.string() +
                ": holds a run already; go on with it by --resume, or name "
                "another folder");
  }
  if (started) Resume();
  progress_.seed = options_.seed.value_or(progress_.seed);
  progress_.batch = options_.batch.value_or(
      progress_.batch > 0 ? progress_.batch : options_.default_batch);
  metrics_.emplace(options_.out / "metrics.jsonl", progress_.step);
}

void Run::Resume() {
  TrainingState state{progress_, parameters_.values(), average_,
                      torch::empty_like(average_), torch::empty_like(average_)};
  state.first_moment.zero_();
  state.second_moment.zero_();
  ReadCheckpoint(CheckpointPath(), parameters_, state);
  progress_ = state.progress;
  optimizer_.Restore(progress_.optimizer_step, state.first_moment,
                     state.second_moment);
  seconds_before_ = progress_.seconds;
  line_.Note(fmt::format("going on at step {}", progress_.step));
}

double Run::RunSeconds() const {
  return seconds_before_ + SteadySeconds() - sitting_start_;
}

double Run::ShareDone() const {
  double share = 0;
  if (options_.steps) {
    share = static_cast<double>(progress_.step) /
            static_cast<double>(std::max<int64_t>(*options_.steps, 1));
  }
  if (options_.hours) {
    share = std::max(share, RunSeconds() / (*options_.hours * 3600));
  }
  return share;
}

bool Run::AtEnd() const {
  return stopped_ || ((options_.steps || options_.hours) && ShareDone() >= 1);
}

TrainingResult Run::Loop() {
  const InterruptFlag interrupt;
  while (!AtEnd() && !interrupt.raised()) {
    Step();
    SaveWhenDue();
  }
  WriteMetrics();
  Checkpoint();
  if (AtEnd() && !stopped_) Sample();
  return {progress_.step, progress_.examples, last_loss_, !AtEnd()};
}

void Run::Step() {
  learning_rate_ = options_.schedule.LearningRate(progress_.step, ShareDone());
  const double loss = ComputeGradient();
  const double norm = optimizer_.Step(
      learning_rate_, AverageDecay(progress_.step, options_.average_decay),
      workers_);
  progress_.step += 1;
  progress_.examples += progress_.batch;
  Follow(loss, norm);
}

// Leaves the gradient of the batch's mean loss as the sum of gradients_;
// returns that loss.
double Run::ComputeGradient() {
  const int64_t batch = progress_.batch;
  const int64_t count = workers_.count();
  std::vector<double> losses(count);
  workers_.Run([&](int worker) {
    const int64_t first = batch * worker / count;
    const int64_t last = batch * (worker + 1) / count;
    if (first == last) return;
    const double share =
        static_cast<double>(last - first) / static_cast<double>(batch);
    const torch::Tensor loss =
        task_.Loss(*models_[worker], {progress_.seed, progress_.step, batch,
                                      first, last - first}) *
        share;
    loss.backward();
    losses[worker] = loss.item<double>();
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void Run::Follow(double loss, double norm) {
  bad_steps_ = std::isfinite(loss) && std::isfinite(norm) ? 0 : bad_steps_ + 1;
  if (bad_steps_ == kMaxBadSteps) {
    throw Error(fmt::format(
        "{}: the loss has not been finite for {} steps; resume with a smaller "
        "--lr",
        options_.out.string(), kMaxBadSteps));
  }
  window_.loss += loss;
  window_.gradient_norm += norm;
  window_.steps += 1;
  window_.examples += progress_.batch;
  if (progress_.step % options_.metrics_steps == 0) WriteMetrics();
  ShowProgress();
}

void Run::WriteMetrics() {
  if (window_.steps == 0) return;
  const auto steps = static_cast<double>(window_.steps);
  last_loss_ = window_.loss / steps;
  rate_ = static_cast<double>(window_.examples) /
          std::max(1e-9, SteadySeconds() - window_.start);
  metrics_->Append({progress_.step, progress_.examples, last_loss_,
                    learning_rate_, window_.gradient_norm / steps, rate_,
                    RunSeconds()});
  window_ = Window();
}

void Run::ShowProgress() {
  ProgressReport report;
  report.step = progress_.step;
  report.loss = last_loss_;
  report.examples_per_second = rate_;
  report.examples_name = task_.examples_name();
  if (window_.steps > 0 && last_loss_ == 0) {
    report.loss = window_.loss / static_cast<double>(window_.steps);
  }
  const double share = ShareDone();
  if (share > 0) {
    report.share_done = share;
    const double seconds =
        options_.hours ? *options_.hours * 3600 : RunSeconds() / share;
    report.seconds_left = std::max(0.0, seconds - RunSeconds());
  }
  line_.Show(report);
}

void Run::SaveWhenDue() {
  const double now = SteadySeconds();
  if (now - last_checkpoint_ >= options_.checkpoint_seconds) Checkpoint();
  if (now - last_sample_ >= options_.sample_seconds) Sample();
}

void Run::Checkpoint() {
  progress_.seconds = RunSeconds();
  progress_.optimizer_step = optimizer_.steps();
  WriteCheckpoint(CheckpointPath(), parameters_,
                  {progress_, parameters_.values(), average_,
                   optimizer_.first_moment(), optimizer_.second_moment()});
  torch::NoGradGuard no_grad;
  const AveragedWeights averaged(parameters_.values(), average_);
  task_.Export(*models_[0], options_.out / "model");
  last_checkpoint_ = SteadySeconds();
}

void Run::Sample() {
  MakeFolder(options_.out / "samples");
  torch::NoGradGuard no_grad;
  const AveragedWeights averaged(parameters_.values(), average_);
  models_[0]->eval();
  task_.WriteSamples(*models_[0], options_.out / "samples", progress_.step);
  models_[0]->train();
  stopped_ = task_.ShouldStop();
  if (stopped_) line_.Note("the samples get no better: training stops");
  last_sample_ = SteadySeconds();
}

}  // namespace

TrainingResult Train(Task& task, const TrainerOptions& options) {
  return Run(task, options).Loop();
}

}  // namespace keylens::train
