// A training step (forward and backward) of each layer against the same formula
// in torch's own operations, as one of two training threads has it: one thread,
// 16 pictures, channels_last maps.
//
//   layers_bench --benchmark_filter=Residual

#include <benchmark/benchmark.h>
#include <keylens/nn/attention.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/cross_attention.h>
#include <keylens/nn/group_norm.h>
#include <keylens/nn/memory.h>
#include <keylens/nn/residual_block.h>
#include <keylens/nn/spatial_attention.h>

#include <functional>

namespace keylens::nn {
namespace {

constexpr int64_t kBatch = 16;
constexpr int64_t kTimeDim = 192;
constexpr int64_t kTextLen = 16;
constexpr int64_t kTextDim = 128;

using Forward = std::function<torch::Tensor(const torch::Tensor& x)>;

// A random map [kBatch, channels, size, size].
torch::Tensor Map(const benchmark::State& state, torch::ScalarType type) {
  const int64_t channels = state.range(0), size = state.range(1);
  return torch::randn({kBatch, channels, size, size})
      .contiguous(at::MemoryFormat::ChannelsLast)
      .to(type);
}

// Times forward and backward by x and the parameters of `module`.
void TimeStep(benchmark::State& state, torch::nn::Module& module,
              torch::ScalarType type, const Forward& forward) {
  const torch::Tensor x = Map(state, type).requires_grad_(),
                      grad = Map(state, type);
  std::vector<torch::Tensor> leaves = module.parameters();
  leaves.push_back(x);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        torch::autograd::grad({forward(x)}, leaves, {grad}));
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

void Convolution(benchmark::State& state, torch::ScalarType type) {
  Conv2d conv(
      torch::nn::Conv2dOptions(state.range(0), state.range(0), 3).padding(1));
  ToChannelsLast(*conv);
  TimeStep(state, *conv, type, [&](const torch::Tensor& x) { return conv(x); });
}

void Normalisation(benchmark::State& state, torch::ScalarType type) {
  GroupNormSilu norm(8, state.range(0));
  TimeStep(state, *norm, type, [&](const torch::Tensor& x) { return norm(x); });
}

void NormalisationComposed(benchmark::State& state) {
  GroupNormSilu norm(8, state.range(0));
  TimeStep(state, *norm, torch::kFloat32, [&](const torch::Tensor& x) {
    return torch::silu(torch::group_norm(x, 8, norm->weight, norm->bias));
  });
}

void Residual(benchmark::State& state, torch::ScalarType type) {
  ResidualBlock block(state.range(0), state.range(0), kTimeDim);
  ToChannelsLast(*block);
  const torch::Tensor time = torch::randn({kBatch, kTimeDim});
  TimeStep(state, *block, type,
           [&](const torch::Tensor& x) { return block(x, time); });
}

void ResidualComposed(benchmark::State& state) {
  ResidualBlock block(state.range(0), state.range(0), kTimeDim);
  ToChannelsLast(*block);
  const torch::Tensor time = torch::randn({kBatch, kTimeDim});
  const auto norm = [](const torch::Tensor& x, const GroupNormSilu& norm) {
    return torch::group_norm(x, 8, norm->weight, norm->bias);
  };
  TimeStep(state, *block, torch::kFloat32, [&](const torch::Tensor& x) {
    const auto film =
        torch::linear(time, block->time->weight, block->time->bias)
            .unsqueeze(-1)
            .unsqueeze(-1)
            .chunk(2, 1);
    torch::Tensor branch =
        torch::conv2d(torch::silu(norm(x, block->norm1)), block->conv1->weight,
                      block->conv1->bias, 1, 1);
    branch = torch::silu(norm(branch, block->norm2) * (1 + film[0]) + film[1]);
    return torch::conv2d(branch, block->conv2->weight, block->conv2->bias, 1,
                         1) +
           x;
  });
}

// [b, heads * dim, h, w] -> [b, heads, h * w, dim]
torch::Tensor Split(const torch::Tensor& map) {
  return map
      .reshape({map.size(0), 4, map.size(1) / 4, map.size(2) * map.size(3)})
      .transpose(2, 3);
}

torch::Tensor Compose(const torch::Tensor& query, const torch::Tensor& key,
                      const torch::Tensor& value) {
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(3)));
  return torch::matmul(
      torch::softmax(torch::matmul(query, key.transpose(2, 3)) * scale, -1),
      value);
}

void Spatial(benchmark::State& state, torch::ScalarType type) {
  SpatialAttention attention(state.range(0));
  ToChannelsLast(*attention);
  TimeStep(state, *attention, type,
           [&](const torch::Tensor& x) { return attention(x); });
}

void SpatialComposed(benchmark::State& state) {
  SpatialAttention attention(state.range(0));
  ToChannelsLast(*attention);
  TimeStep(state, *attention, torch::kFloat32, [&](const torch::Tensor& x) {
    const auto parts = attention->to_qkv(x).chunk(3, 1);
    const torch::Tensor out =
        Compose(Split(parts[0]), Split(parts[1]), Split(parts[2]));
    return attention->to_out(out.transpose(2, 3).reshape(
        {kBatch, out.size(1) * out.size(3), x.size(2), x.size(3)}));
  });
}

void Cross(benchmark::State& state, torch::ScalarType type) {
  CrossAttention attention(state.range(0), kTextDim);
  ToChannelsLast(*attention);
  const torch::Tensor text = torch::randn({kBatch, kTextLen, kTextDim});
  TimeStep(state, *attention, type,
           [&](const torch::Tensor& x) { return attention(x, text); });
}

// x [kBatch * kTextLen, n] -> the same, through a weight [n, n].
void LinearStep(benchmark::State& state, const Forward& forward,
                const Linear& linear) {
  const torch::Tensor x =
      torch::randn({kBatch * kTextLen, state.range(0)}).requires_grad_();
  const torch::Tensor grad = torch::randn_like(x);
  for (auto _ : state) {
    benchmark::DoNotOptimize(torch::autograd::grad(
        {forward(x)}, {x, linear->weight, linear->bias}, {grad}));
  }
}

void LinearLayer(benchmark::State& state) {
  Linear linear(state.range(0), state.range(0));
  LinearStep(
      state, [&](const torch::Tensor& x) { return linear(x); }, linear);
}

void LinearComposed(benchmark::State& state) {
  Linear linear(state.range(0), state.range(0));
  LinearStep(
      state,
      [&](const torch::Tensor& x) {
        return torch::linear(x, linear->weight, linear->bias);
      },
      linear);
}

// The levels of the generator's U-Net: channels, height and width.
void Levels(benchmark::internal::Benchmark* bench) {
  bench->Args({48, 32})->Args({96, 16})->Args({160, 8})->Unit(
      benchmark::kMillisecond);
}

void CoarseLevels(benchmark::internal::Benchmark* bench) {
  bench->Args({96, 16})->Args({160, 8})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(Convolution, float32, torch::kFloat32)->Apply(Levels);
BENCHMARK_CAPTURE(Convolution, bfloat16, torch::kBFloat16)->Apply(Levels);
BENCHMARK(NormalisationComposed)->Apply(Levels);
BENCHMARK_CAPTURE(Normalisation, float32, torch::kFloat32)->Apply(Levels);
BENCHMARK_CAPTURE(Normalisation, bfloat16, torch::kBFloat16)->Apply(Levels);
BENCHMARK(ResidualComposed)->Apply(Levels);
BENCHMARK_CAPTURE(Residual, float32, torch::kFloat32)->Apply(Levels);
BENCHMARK_CAPTURE(Residual, bfloat16, torch::kBFloat16)->Apply(Levels);
BENCHMARK(SpatialComposed)->Apply(CoarseLevels);
BENCHMARK_CAPTURE(Spatial, float32, torch::kFloat32)->Apply(CoarseLevels);
BENCHMARK_CAPTURE(Spatial, bfloat16, torch::kBFloat16)->Apply(CoarseLevels);
BENCHMARK_CAPTURE(Cross, float32, torch::kFloat32)->Apply(CoarseLevels);
BENCHMARK_CAPTURE(Cross, bfloat16, torch::kBFloat16)->Apply(CoarseLevels);
BENCHMARK(LinearComposed)->Arg(192)->Unit(benchmark::kMillisecond);
BENCHMARK(LinearLayer)->Arg(192)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace keylens::nn

int main(int argc, char** argv) {
  keylens::nn::KeepFreedMemory();
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
