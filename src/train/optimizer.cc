#include "src/train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "src/train/adam_update.h"

namespace keylens::train {
namespace {

// Elements that are worked on at a time: a few of these fit the first cache.
// Sums are taken for each chunk alone and then in order, whoever did it.
constexpr int64_t kChunk = 2048;

int64_t ChunkCount(int64_t size) { return (size + kChunk - 1) / kChunk; }

// Calls work(chunk, first, last) for every chunk, each thread a stretch of
// them.
void ForChunks(int64_t size, ThreadPool& threads,
               const std::function<void(int64_t, int64_t, int64_t)>& work) {
  const int64_t chunks = ChunkCount(size);
  const int64_t stretches = threads.size();
  ForEach(threads, stretches, [&](int64_t stretch) {
    const int64_t end = chunks * (stretch + 1) / stretches;
    for (int64_t i = chunks * stretch / stretches; i < end; ++i) {
      work(i, i * kChunk, std::min(size, (i + 1) * kChunk));
    }
  });
}

void CheckBuffer(const torch::Tensor& buffer, int64_t size) {
  if (buffer.numel() != size || buffer.scalar_type() != torch::kFloat ||
      !buffer.is_contiguous() || !buffer.device().is_cpu()) {
    throw std::invalid_argument(
        "Optimizer: a buffer is not contiguous float32 of the weights' size");
  }
}

}  // namespace

Optimizer::Optimizer(torch::Tensor values, std::vector<torch::Tensor> gradients,
                     torch::Tensor average, const OptimizerOptions& options)
    : options_(options),
      values_(std::move(values)),
      gradients_(std::move(gradients)),
      average_(std::move(average)),
      first_moment_(torch::zeros_like(values_)),
      second_moment_(torch::zeros_like(values_)) {
  if (gradients_.empty()) throw std::invalid_argument("Optimizer: no gradient");
  for (const torch::Tensor& gradient : gradients_) {
    CheckBuffer(gradient, values_.numel());
  }
  CheckBuffer(values_, values_.numel());
  CheckBuffer(average_, values_.numel());
}

double Optimizer::Step(double learning_rate, double average_decay,
                       ThreadPool& threads) {
  const double norm = SumGradients(threads);
  if (!std::isfinite(norm)) {
    gradients_[0].zero_();
    return norm;
  }
  const bool clipped = options_.clip_norm > 0 && norm > options_.clip_norm;
  ++steps_;
  Update(learning_rate, average_decay,
         clipped ? options_.clip_norm / norm : 1.0, threads);
  return norm;
}

void Optimizer::Restore(int64_t steps, const torch::Tensor& first_moment,
                        const torch::Tensor& second_moment) {
  steps_ = steps;
  first_moment_.copy_(first_moment);
  second_moment_.copy_(second_moment);
}

// Leaves the sum in gradients_[0], added in the order of the workers, and the
// others zero. Returns its norm.
double Optimizer::SumGradients(ThreadPool& threads) {
  const int64_t size = values_.numel();
  std::vector<double> squares(ChunkCount(size));
  ForChunks(size, threads, [&](int64_t chunk, int64_t first, int64_t last) {
    float* sum = gradients_[0].data_ptr<float>() + first;
    for (std::size_t i = 1; i < gradients_.size(); ++i) {
      AddAndClear(sum, gradients_[i].data_ptr<float>() + first, last - first);
    }
    squares[chunk] = SumOfSquares(sum, last - first);
  });
  double total = 0;
  for (const double square : squares) total += square;
  return std::sqrt(total);
}

void Optimizer::Update(double learning_rate, double average_decay,
                       double gradient_scale, ThreadPool& threads) {
  const auto steps = static_cast<double>(steps_);
  const double first_share = 1 - std::pow(options_.beta1, steps);
  const double second_share = 1 - std::pow(options_.beta2, steps);
  const AdamScalars scalars = {
      static_cast<float>(gradient_scale),
      static_cast<float>(1 - learning_rate * options_.weight_decay),
      static_cast<float>(options_.beta1),
      static_cast<float>(options_.beta2),
      static_cast<float>(learning_rate / first_share),
      static_cast<float>(1 / second_share),
      static_cast<float>(options_.epsilon),
      static_cast<float>(1 - average_decay)};
  ForChunks(values_.numel(), threads,
            [&](int64_t, int64_t first, int64_t last) {
              UpdateAdam(scalars,
                         {values_.data_ptr<float>() + first,
                          gradients_[0].data_ptr<float>() + first,
                          first_moment_.data_ptr<float>() + first,
                          second_moment_.data_ptr<float>() + first,
                          average_.data_ptr<float>() + first},
                         last - first);
            });
}

}  // namespace keylens::train
