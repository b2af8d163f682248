// How many pictures a second the generator is trained with, against the same
// network in torch's own operations: the same weights, batch, loss and
// optimizer; the medians of interleaved rounds.
//
// train_bench [--bfloat16]: with our feature maps in bfloat16; by default all
// is float32.

#include <fmt/format.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/memory.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "benchmarks/generator/plain_generator.h"
#include "src/nn/torch_pool.h"
#include "src/random/random.h"
#include "src/train/flat_parameters.h"
#include "src/train/optimizer.h"
#include "systems/generator/training/train.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kBatch = 32;
constexpr int kRounds = 3;
constexpr int kStepsPerRound = 2;
constexpr double kLearningRate = 1e-4;
constexpr double kAverageDecay = 0.999;

int CoreCount() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// Noise is as good as emoji for the clock; captions are of their length.
std::vector<CaptionedPicture> Pictures(int64_t size) {
  const char* const words[] = {"woman",          "man",       "firefighter",
                               "dark skin tone", "red heart", "crying cat",
                               "flag of Bolivia"};
  std::vector<CaptionedPicture> pictures(64);
  Random random({1});
  for (CaptionedPicture& picture : pictures) {
    picture.text = fmt::format("{} {}, {}", words[random.Below(7)],
                               words[random.Below(7)], words[random.Below(7)]);
    picture.image = {static_cast<int>(size), static_cast<int>(size), 4, {}};
    for (int64_t i = 0; i < size * size * 4; ++i) {
      picture.image.pixels.push_back(static_cast<uint8_t>(random.Below(256)));
    }
  }
  return pictures;
}

GeneratorTask MakeTask(bool bfloat16) {
  const fs::path file =
      fs::temp_directory_path() / fmt::format("keylens_bench_{}", getpid());
  GeneratorTraining training;
  training.bfloat16 = bfloat16;
  const auto pictures = Pictures(training.config.unet.sample_size);
  TrainPromptTokenizer(pictures, file);
  GeneratorTask task(pictures, file, training);
  fs::remove(file);
  return task;
}

// Ours: replicas on a thread each, one fused update.
class KeylensTrainer {
 public:
  KeylensTrainer(GeneratorTask& task, int workers) : task_(task) {
    for (int i = 0; i < workers; ++i) {
      models_.push_back(
          std::dynamic_pointer_cast<GeneratorModelImpl>(task.MakeModel()));
    }
    parameters_ = std::make_unique<train::FlatParameters>(*models_[0]);
    // A new network predicts zero whatever its weights; this one does not.
    torch::manual_seed(1);
    parameters_->values().add_(torch::randn({parameters_->size()}), 0.03);
    for (const auto& model : models_) {
      gradients_.push_back(parameters_->Attach(*model));
    }
    average_ = parameters_->values().clone();
    optimizer_ = std::make_unique<train::Optimizer>(
        parameters_->values(), gradients_, average_, train::OptimizerOptions());
  }

  // Returns the loss.
  double Step(int64_t step, ThreadPool& workers) {
    std::vector<double> losses(models_.size());
    const int64_t count = workers.size();
    ForEach(workers, count, [&](int64_t worker) {
      const int64_t first = kBatch * worker / count;
      const int64_t last = kBatch * (worker + 1) / count;
      const torch::Tensor loss =
          task_.Loss(*models_[worker], {0, step, kBatch, first, last - first}) *
          (static_cast<double>(last - first) / kBatch);
      loss.backward();
      losses[worker] = loss.item<double>();
    });
    optimizer_->Step(kLearningRate, kAverageDecay, workers);
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum;
  }

  const GeneratorModelImpl& model() const { return *models_[0]; }

 private:
  GeneratorTask& task_;
  std::vector<std::shared_ptr<GeneratorModelImpl>> models_;
  std::unique_ptr<train::FlatParameters> parameters_;
  std::vector<torch::Tensor> gradients_;
  torch::Tensor average_;
  std::unique_ptr<train::Optimizer> optimizer_;
};

// Torch's: one network, threads inside each operation, torch::optim::AdamW.
class PlainTrainer {
 public:
  PlainTrainer(GeneratorTask& task, const GeneratorModelImpl& start)
      : task_(task),
        network_(start),
        adam_(network_.Parameters(),
              torch::optim::AdamWOptions(kLearningRate).weight_decay(0.01)) {
    for (const torch::Tensor& parameter : network_.Parameters()) {
      average_.push_back(parameter.detach().clone());
    }
  }

  double Step(int64_t step) {
    const GeneratorTask::Batch batch =
        task_.MakeBatch({0, step, kBatch, 0, kBatch});
    const NoiseProcess process(task_.config().scheduler.prediction);
    adam_.zero_grad();
    const torch::Tensor output =
        network_.Forward(process.Mix(batch.pictures, batch.noise, batch.time),
                         batch.time, batch.text);
    const torch::Tensor loss = torch::mse_loss(
        output, process.Target(batch.pictures, batch.noise, batch.time));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(network_.Parameters(), 1.0);
    adam_.step();
    const torch::NoGradGuard no_grad;
    const std::vector<torch::Tensor> parameters = network_.Parameters();
    for (std::size_t i = 0; i < average_.size(); ++i) {
      average_[i].lerp_(parameters[i], 1 - kAverageDecay);
    }
    return loss.item<double>();
  }

 private:
  GeneratorTask& task_;
  PlainGenerator network_;
  torch::optim::AdamW adam_;
  std::vector<torch::Tensor> average_;
};

// Pictures a second over a few steps.
double Rate(const std::function<void()>& step) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kStepsPerRound; ++i) step();
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  return kStepsPerRound * kBatch / seconds.count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int Bench(bool bfloat16) {
  const int threads = CoreCount();
  GeneratorTask task = MakeTask(bfloat16);
  KeylensTrainer ours(task, threads);
  PlainTrainer plain(task, ours.model());
  ThreadPool workers = nn::TorchPool(threads);
  int64_t our_step = 0, plain_step = 0;
  const auto run_ours = [&] {
    at::set_num_threads(1);
    return ours.Step(our_step++, workers);
  };
  const auto run_plain = [&] {
    at::set_num_threads(threads);
    return plain.Step(plain_step++);
  };
  const double plain_loss = run_plain(), our_loss = run_ours();
  const double difference = std::abs(our_loss - plain_loss) / plain_loss;
  fmt::print("loss of the first step: {:.6f}, plain {:.6f}\n", our_loss,
             plain_loss);
  if (difference > (bfloat16 ? 1e-2 : 1e-4)) {
    fmt::print("the losses differ: this is not the same network\n");
    return 1;
  }
  std::vector<double> our_rates, plain_rates;
  for (int round = 0; round < kRounds; ++round) {
    plain_rates.push_back(Rate(run_plain));
    our_rates.push_back(Rate(run_ours));
  }
  const double our_rate = Median(our_rates), plain_rate = Median(plain_rates);
  fmt::print(
      "pictures a second, batch {}, {} threads: {:.1f}{}, plain {:.1f}: "
      "{:.2f} times\n",
      kBatch, threads, our_rate, bfloat16 ? " (bfloat16 maps)" : "", plain_rate,
      our_rate / plain_rate);
  return 0;
}

}  // namespace
}  // namespace keylens::generator

int main(int argc, char** argv) {
  const bool bfloat16 = argc > 1 && std::strcmp(argv[1], "--bfloat16") == 0;
  if (bfloat16 && !keylens::nn::HasBFloat16Convolution()) {
    fmt::print(stderr, "this CPU does not multiply bfloat16\n");
    return 2;
  }
  keylens::nn::KeepFreedMemory();
  return keylens::generator::Bench(bfloat16);
}
