// Never the query x key matrix: forward, backward and inspection at 16,384 x
// 16,384 (a matrix of 1 GiB) take at most 64 MiB beyond the inputs and results.
// A program of its own, because only the peak of a whole process is known.

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace keylens {
namespace {

constexpr int64_t kLen = 16'384;
constexpr int64_t kHeads = 2;
constexpr int64_t kDim = 4;
constexpr int64_t kTop = 8;
constexpr int64_t kGroups = 16;
constexpr int64_t kMaxGrowth = 64 << 20;

int64_t PeakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

TEST(Memory, GrowsWithTheLengthAndNotItsSquare) {
  const auto numbers = [](int64_t count) {
    std::mt19937_64 random(count);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) value = normal(random);
    return values;
  };
  const auto view = [](std::vector<float>& values) {
    return Contiguous(values.data(), {1, kHeads, kLen, kDim});
  };
  const auto of_rows = [](std::vector<float>& values) {
    return Contiguous(values.data(), {1, kHeads, kLen});
  };
  const int64_t elements = kHeads * kLen * kDim;
  std::vector<float> query = numbers(elements), key = numbers(elements),
                     value = numbers(elements), out_grad = numbers(elements),
                     out = numbers(elements), query_grad = numbers(elements),
                     key_grad = numbers(elements),
                     value_grad = numbers(elements),
                     logsumexp = numbers(kHeads * kLen),
                     entropy = numbers(kHeads * kLen),
                     key_mass = numbers(kHeads * kLen),
                     top_weights = numbers(kHeads * kLen * kTop),
                     pooled = numbers(kHeads * kGroups * kGroups);
  std::vector<int64_t> top_keys(kHeads * kLen * kTop, -7);
  std::vector<int32_t> group(kLen);
  for (int64_t i = 0; i < kLen; ++i) {
    group[i] = static_cast<int32_t>(i / (kLen / kGroups));
  }
  Inspection inspection;
  inspection.entropy = of_rows(entropy);
  inspection.key_mass = of_rows(key_mass);
  inspection.top_keys = Contiguous(top_keys.data(), {1, kHeads, kLen, kTop});
  inspection.top_weights =
      Contiguous(top_weights.data(), {1, kHeads, kLen, kTop});
  inspection.query_group = group;
  inspection.key_group = group;
  inspection.pooled = Contiguous(pooled.data(), {1, kHeads, kGroups, kGroups});
  const AttentionInputs<float> inputs = {view(query), view(key), view(value)};
  const AttentionOutputs<float> outputs = {view(out), of_rows(logsumexp)};

  const int64_t before = PeakBytes();
  AttentionForward<float>(inputs, {}, outputs, &inspection);
  const int64_t after_forward = PeakBytes();
  AttentionBackward<float>(
      inputs, {}, outputs, view(out_grad),
      {view(query_grad), view(key_grad), view(value_grad)});
  const int64_t after_backward = PeakBytes();
  AttentionInspect<float>(inputs, {}, of_rows(logsumexp), inspection);
  const int64_t after_inspect = PeakBytes();
  RecordProperty("forward_bytes", std::to_string(after_forward - before));
  RecordProperty("backward_bytes", std::to_string(after_backward - before));
  RecordProperty("inspect_bytes", std::to_string(after_inspect - before));
  EXPECT_LE(after_forward - before, kMaxGrowth);
  EXPECT_LE(after_backward - before, kMaxGrowth);
  EXPECT_LE(after_inspect - before, kMaxGrowth);

  // It did the work: the mass of a head is its number of queries.
  double mass = 0;
  for (int64_t j = 0; j < kLen; ++j) mass += key_mass[j];
  EXPECT_NEAR(mass, kLen, 0.5);
}

// The measure sees what it should: a block of the bound's size shows.
TEST(Memory, TheMeasureSeesABlock) {
  const int64_t before = PeakBytes();
  std::vector<char> block(2 * kMaxGrowth + before);
  std::memset(block.data(), 1, block.size());
  EXPECT_GT(PeakBytes() - before, kMaxGrowth);
}

}  // namespace
}  // namespace keylens
