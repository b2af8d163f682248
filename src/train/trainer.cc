#include "src/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/paths.h"
#include "src/nn/torch_pool.h"
#include "src/train/checkpoint.h"
#include "src/train/clock.h"
#include "src/train/flat_parameters.h"
#include "src/train/loss_watch.h"
#include "src/train/metrics.h"
#include "src/train/optimizer.h"

namespace keylens::train {
namespace {

// A step whose gradient overflowed is skipped; so many in a row are a failure.
constexpr int kMaxBadSteps = 20;

ThreadPool MakeThreads(int count) {
  try {
    return nn::TorchPool(count);
  } catch (const std::system_error& error) {
    throw Error(fmt::format("--threads {}: {}", count, error.what()));
  }
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
  double LossOfShares(
      const std::function<void(std::size_t worker, torch::Tensor loss)>& then);
  double ComputeGradient();
  void Follow(double loss, double norm);
  void WriteMetrics();
  void ShowProgress();
  bool HasNews() const { return progress_.step > saved_step_; }
  bool CheckpointIsDue() const;
  void Finish();
  void Checkpoint();
  void Export();
  void Sample();
  void Note(const std::string& line) const;
  std::string WhatIsKept() const;

  Task& task_;
  const TrainerOptions options_;
  ThreadPool threads_;
  std::vector<std::shared_ptr<torch::nn::Module>> models_;  // one a worker
  FlatParameters parameters_;
  std::vector<torch::Tensor> gradients_;  // flat, one a worker
  torch::Tensor average_;
  Optimizer optimizer_;
  Progress progress_;
  LossWatch watch_;
  int64_t saved_step_ = 0;  // of the checkpoint; 0: there is none
  double sitting_start_ = SteadySeconds();
  double seconds_before_ = 0;  // of training, in earlier sittings
  double last_checkpoint_ = SteadySeconds();
  double last_sample_ = SteadySeconds();
  int bad_steps_ = 0;
  bool stopped_ = false;  // by the task
  double learning_rate_ = 0;
  std::optional<double> last_loss_;
  double rate_ = 0;  // examples per second, smoothed
  Window window_;
  std::optional<MetricsFile> metrics_;
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
      threads_(MakeThreads(options.workers)),
      models_(MakeModels(task, threads_.size())),
      parameters_(*models_[0]),
      gradients_(AttachAll(parameters_, models_)),
      average_(parameters_.values().clone()),
      optimizer_(parameters_.values(), gradients_, average_,
                 options.optimizer) {
  MakeFolder(options_.out);
  if (std::filesystem::exists(CheckpointOf(options_.out))) Resume();
  progress_.seed = *options_.seed;
  progress_.batch = *options_.batch;
  watch_ = LossWatch(progress_.first_loss);
  if (options_.run_file) WriteRunFile(options_.out, *options_.run_file);
  metrics_.emplace(options_.out / "metrics.jsonl", progress_.step);
  task_.GoOnFrom(progress_.step);
}

void Run::Resume() {
  TrainingState state{progress_, parameters_.values(), average_,
                      torch::empty_like(average_), torch::empty_like(average_)};
  state.first_moment.zero_();
  state.second_moment.zero_();
  ReadCheckpoint(CheckpointOf(options_.out), parameters_, state);
  progress_ = state.progress;
  saved_step_ = progress_.step;
  optimizer_.Restore(progress_.optimizer_step, state.first_moment,
                     state.second_moment);
  seconds_before_ = progress_.seconds;
  Note(fmt::format("going on at step {}", progress_.step));
}

void Run::Note(const std::string& line) const {
  if (options_.note) options_.note(line);
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
  if (options_.on_start) options_.on_start();
  while (!AtEnd() && !options_.stop.stop_requested()) {
    Step();
    if (SteadySeconds() - last_sample_ >= options_.sample_seconds) Sample();
  }
  WriteMetrics();
  Finish();
  return {progress_.step, progress_.examples, last_loss_, !AtEnd(),
          RunSeconds()};
}

void Run::Step() {
  learning_rate_ = options_.schedule.LearningRate(progress_.step, ShareDone());
  const double loss = ComputeGradient();
  watch_.Take(loss);
  // This loss speaks for the weights as they are: now, before the update.
  if (CheckpointIsDue() && watch_.good()) Checkpoint();
  const double norm = optimizer_.Step(
      learning_rate_, AverageDecay(progress_.step, options_.average_decay),
      threads_);
  progress_.step += 1;
  progress_.examples += progress_.batch;
  Follow(loss, norm);
}

// The mean loss of the next batch, of which each worker takes a share; `then`
// is called with the part that the share has in it.
double Run::LossOfShares(
    const std::function<void(std::size_t, torch::Tensor)>& then) {
  const int64_t batch = progress_.batch;
  const auto count = static_cast<int64_t>(models_.size());
  std::vector<double> losses(models_.size());
  ForEach(threads_, count, [&](int64_t worker) {
    const int64_t first = batch * worker / count;
    const int64_t last = batch * (worker + 1) / count;
    if (first == last) return;
    const auto index = static_cast<std::size_t>(worker);
    const double share =
        static_cast<double>(last - first) / static_cast<double>(batch);
    const torch::Tensor loss =
        task_.Loss(*models_[index], {progress_.seed, progress_.step, batch,
                                     first, last - first}) *
        share;
    losses[index] = loss.item<double>();
    then(index, loss);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

// Leaves the gradient of the batch's mean loss as the sum of gradients_;
// returns that loss.
double Run::ComputeGradient() {
  return LossOfShares(
      [](std::size_t, const torch::Tensor& loss) { loss.backward(); });
}

void Run::Follow(double loss, double norm) {
  bad_steps_ = std::isfinite(loss) && std::isfinite(norm) ? 0 : bad_steps_ + 1;
  if (bad_steps_ == kMaxBadSteps) {
    throw Error(fmt::format("{}: the loss has not been finite for {} steps; {}",
                            options_.out.string(), kMaxBadSteps, WhatIsKept()));
  }
  window_.loss += loss;
  window_.gradient_norm += norm;
  window_.steps += 1;
  window_.examples += progress_.batch;
  if (progress_.step % options_.metrics_steps == 0) WriteMetrics();
  ShowProgress();
}

std::string Run::WhatIsKept() const {
  if (saved_step_ == 0) {
    return "no checkpoint was written; begin again with a smaller --lr";
  }
  return fmt::format(
      "the checkpoint of step {} is kept; --resume it with a smaller --lr",
      saved_step_);
}

void Run::WriteMetrics() {
  if (window_.steps == 0) return;
  const auto steps = static_cast<double>(window_.steps);
  last_loss_ = window_.loss / steps;
  rate_ = static_cast<double>(window_.examples) /
          std::max(1e-9, SteadySeconds() - window_.start);
  metrics_->Append({progress_.step, progress_.examples, *last_loss_,
                    learning_rate_, window_.gradient_norm / steps, rate_,
                    RunSeconds()});
  window_ = Window();
}

void Run::ShowProgress() {
  if (!options_.progress) return;
  ProgressReport report;
  report.step = progress_.step;
  report.loss =
      last_loss_.value_or(window_.loss / static_cast<double>(window_.steps));
  report.examples_per_second = rate_;
  report.examples_name = task_.examples_name();
  const double share = ShareDone();
  if (share > 0) {
    report.share_done = share;
    const double seconds =
        options_.hours ? *options_.hours * 3600 : RunSeconds() / share;
    report.seconds_left = std::max(0.0, seconds - RunSeconds());
  }
  options_.progress(report);
}

bool Run::CheckpointIsDue() const {
  return HasNews() &&
         SteadySeconds() - last_checkpoint_ >= options_.checkpoint_seconds;
}

// Writes the last state, if its loss says that it is worth keeping.
void Run::Finish() {
  if (!HasNews()) {
    // The last sitting may have been killed before it did this.
    if (saved_step_ > 0) Export();
    return;
  }
  const double loss = LossOfShares([](std::size_t, const torch::Tensor&) {});
  if (!watch_.good() || !watch_.IsGood(loss)) {
    throw Error(fmt::format(
        "{}: the run has diverged, its loss is {:.3g} after {} steps; {}",
        options_.out.string(), loss, progress_.step, WhatIsKept()));
  }
  Checkpoint();
  if (AtEnd() && !stopped_) Sample();
}

void Run::Checkpoint() {
  progress_.seconds = RunSeconds();
  progress_.optimizer_step = optimizer_.steps();
  progress_.first_loss = watch_.first();
  WriteCheckpoint(CheckpointOf(options_.out), parameters_,
                  {progress_, parameters_.values(), average_,
                   optimizer_.first_moment(), optimizer_.second_moment()});
  saved_step_ = progress_.step;
  Export();
  last_checkpoint_ = SteadySeconds();
}

void Run::Export() {
  torch::NoGradGuard no_grad;
  const AveragedWeights averaged(parameters_.values(), average_);
  task_.Export(*models_[0], options_.out / "model");
}

void Run::Sample() {
  MakeFolder(options_.out / "samples");
  torch::NoGradGuard no_grad;
  const AveragedWeights averaged(parameters_.values(), average_);
  models_[0]->eval();
  const std::string summary =
      task_.WriteSamples(*models_[0], options_.out / "samples", progress_.step);
  models_[0]->train();
  if (!summary.empty()) Note(summary);
  stopped_ = task_.ShouldStop();
  if (stopped_) Note("the samples get no better: training stops");
  last_sample_ = SteadySeconds();
}

}  // namespace

std::filesystem::path CheckpointOf(const std::filesystem::path& run) {
  return run / "checkpoint.safetensors";
}

void CheckOutsideData(const std::filesystem::path& run,
                      const std::filesystem::path& data) {
  if (!LiesWithin(run, data)) return;
  throw Error(fmt::format(
      "--out {}: lies within --data {}, whose next reader would take the run's "
      "files for data; name a folder outside",
      run.string(), data.string()));
}

void SettleRun(TrainerOptions& options) {
  const auto before = ReadProgress(CheckpointOf(options.out));
  if (before && !options.resume) {
    throw Error(options.out.string() +
                ": holds a run already; go on with it by --resume, or name "
                "another folder");
  }
  if (before && options.seed && *options.seed != before->seed) {
    throw Error(fmt::format(
        "--seed {}: the run in {} has seed {}, which cannot change; leave "
        "--seed out, or begin another run",
        *options.seed, options.out.string(), before->seed));
  }
  if (before) options.seed = before->seed;
  if (!options.seed) options.seed = 0;
  if (!options.batch) {
    options.batch = before ? before->batch : options.default_batch;
  }
}

TrainingResult Train(Task& task, const TrainerOptions& options) {
  TrainerOptions settled = options;
  SettleRun(settled);
  return Run(task, settled).Loop();
}

}  // namespace keylens::train
