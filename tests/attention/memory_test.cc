// Never the query x key matrix: forward, backward and inspection at 16,384 x
// 16,384 with 8 heads of 64 (a matrix of 8 GiB) take at most 64 MiB beyond the
// inputs and results, whatever the element.
// A program of its own, because only the peak of a whole process is known.

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <keylens/small_float.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace keylens {
namespace {

constexpr int64_t kLen = 16'384;
constexpr int64_t kHeads = 8;
constexpr int64_t kDim = 64;
constexpr int64_t kTop = 8;
constexpr int64_t kGroups = 16;
constexpr int64_t kMaxGrowth = 64 << 20;

// A line of /proc/self/status, in bytes.
int64_t StatusBytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kilobytes = 0;
    if (word == key + ":" && status >> kilobytes) return kilobytes * 1024;
  }
  ADD_FAILURE() << "no " << key << " in /proc/self/status";
  return 0;
}

// How much more memory than before the process had at its peak during `work`.
template <typename Work>
int64_t Growth(const Work& work) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what is now
  const int64_t before = StatusBytes("VmRSS");
  work();
  return StatusBytes("VmHWM") - before;
}

// Numbers between -1 and 1, without order.
template <typename T>
std::vector<T> Numbers(int64_t count) {
  std::vector<T> values(count);
  uint32_t state = 12345;
  for (T& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<T>(static_cast<float>(state >> 8) * 0x1p-23f - 1.0f);
  }
  return values;
}

// The arguments of all passes; every page of them is touched.
template <typename T>
struct Call {
  Call() {
    for (int64_t i = 0; i < kLen; ++i)
      group[i] = static_cast<int32_t>(i / (kLen / kGroups));
    inspection.entropy = OfRows(entropy);
    inspection.key_mass = OfRows(key_mass);
    inspection.offset_mass =
        Contiguous(offset_mass.data(), {1, kHeads, 2 * kLen - 1});
    inspection.top_keys = Contiguous(top_keys.data(), {1, kHeads, kLen, kTop});
    inspection.top_weights =
        Contiguous(top_weights.data(), {1, kHeads, kLen, kTop});
    inspection.query_group = inspection.key_group = group;
    inspection.pooled =
        Contiguous(pooled.data(), {1, kHeads, kGroups, kGroups});
  }

  static TensorView<T, 4> View(std::vector<T>& values) {
    return Contiguous(values.data(), {1, kHeads, kLen, kDim});
  }
  static TensorView<float, 3> OfRows(std::vector<float>& values) {
    return Contiguous(values.data(), {1, kHeads, kLen});
  }

  static constexpr int64_t kElements = kHeads * kLen * kDim;
  std::vector<T> query = Numbers<T>(kElements), key = query, value = query,
                 out_grad = query, out = query, query_grad = query,
                 key_grad = query, value_grad = query;
  std::vector<float> logsumexp = Numbers<float>(kHeads * kLen),
                     entropy = logsumexp, key_mass = logsumexp,
                     offset_mass = Numbers<float>(kHeads * (2 * kLen - 1)),
                     top_weights = Numbers<float>(kHeads * kLen * kTop),
                     pooled = Numbers<float>(kHeads * kGroups * kGroups);
  std::vector<int64_t> top_keys = std::vector<int64_t>(kHeads * kLen * kTop, 7);
  std::vector<int32_t> group = std::vector<int32_t>(kLen);
  Inspection inspection;
};

template <typename T>
class Memory : public ::testing::Test {};
using Elements = ::testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(Memory, Elements);

TYPED_TEST(Memory, GrowsWithTheLengthAndNotItsSquare) {
  Call<TypeParam> call;
  const AttentionInputs<TypeParam> inputs = {
      call.View(call.query), call.View(call.key), call.View(call.value)};
  const AttentionOutputs<TypeParam> outputs = {call.View(call.out),
                                               call.OfRows(call.logsumexp)};
  const int64_t forward = Growth([&] {
    AttentionForward<TypeParam>(inputs, {}, outputs, &call.inspection);
  });
  const int64_t backward = Growth([&] {
    AttentionBackward<TypeParam>(
        inputs, {}, outputs, call.View(call.out_grad),
        {call.View(call.query_grad), call.View(call.key_grad),
         call.View(call.value_grad)});
  });
  const int64_t inspect = Growth([&] {
    AttentionInspect<TypeParam>(inputs, {}, call.OfRows(call.logsumexp),
                                call.inspection);
  });
  this->RecordProperty("forward_bytes", std::to_string(forward));
  this->RecordProperty("backward_bytes", std::to_string(backward));
  this->RecordProperty("inspect_bytes", std::to_string(inspect));
  EXPECT_LE(forward, kMaxGrowth);
  EXPECT_LE(backward, kMaxGrowth);
  EXPECT_LE(inspect, kMaxGrowth);

  // It did the work: the mass of a head is its number of queries.
  double mass = 0;
  for (int64_t j = 0; j < kLen; ++j) mass += call.key_mass[j];
  EXPECT_NEAR(mass, kLen, 0.5);
}

// The measure sees what it should: a block of the bound's size shows.
TEST(MemoryMeasure, SeesABlock) {
  EXPECT_GT(Growth([] {
              std::vector<char> block(2 * kMaxGrowth);
              std::memset(block.data(), 1, block.size());
            }),
            kMaxGrowth);
}

}  // namespace
}  // namespace keylens
