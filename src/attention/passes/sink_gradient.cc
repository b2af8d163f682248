#include "src/attention/passes/sink_gradient.h"

#include <cmath>
#include <limits>

#include "src/attention/plan/parallel.h"

namespace keylens::internal {
namespace {

template <typename T>
double Product(const Matrix<T>& a, const Matrix<const T>& b) {
  double sum = 0.0;
  for (int64_t c = 0; c < a.cols; ++c) {
    sum += static_cast<double>(static_cast<float>(a.data[c * a.col_stride])) *
           static_cast<float>(b.data[c * b.col_stride]);
  }
  return sum;
}

// Of one head.
template <typename T>
double GradientOf(const Problem& problem, const AttentionOutputs<T>& forward,
                  const TensorView<const T, 4>& out_grad, int64_t head) {
  const float sink = problem.SinkOf(head);
  double gradient = 0.0;
  if (sink == -std::numeric_limits<float>::infinity()) return gradient;
  for (int64_t b = 0; b < problem.batch; ++b) {
    for (int64_t i = 0; i < problem.query_len; ++i) {
      const float logsumexp = *ElementOf(forward.logsumexp, b, head, i);
      const double weight = std::exp(static_cast<double>(sink) - logsumexp);
      gradient -= weight * Product(HeadRows(forward.out, b, head, i, 1),
                                   HeadRows(out_grad, b, head, i, 1));
    }
  }
  return gradient;
}

}  // namespace

template <typename T>
void WriteSinkGradient(const Problem& problem,
                       const AttentionOutputs<T>& forward,
                       const TensorView<const T, 4>& out_grad,
                       const TensorView<float, 1>& sinks) {
  ParallelFor(problem.num_heads, problem.num_threads, [&](int64_t head, int) {
    sinks.data[head * sinks.strides[0]] =
        static_cast<float>(GradientOf(problem, forward, out_grad, head));
  });
}

template void WriteSinkGradient(const Problem&, const AttentionOutputs<float>&,
                                const TensorView<const float, 4>&,
                                const TensorView<float, 1>&);
template void WriteSinkGradient(const Problem&,
                                const AttentionOutputs<BFloat16>&,
                                const TensorView<const BFloat16, 4>&,
                                const TensorView<float, 1>&);
template void WriteSinkGradient(const Problem&,
                                const AttentionOutputs<Float16>&,
                                const TensorView<const Float16, 4>&,
                                const TensorView<float, 1>&);

}  // namespace keylens::internal
