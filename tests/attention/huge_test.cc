// Line 7: query_len * kv_len beyond 2^32, and elements further apart than that.
// Few tiles are live, and little of the memory is ever touched.

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <memory>

#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"

namespace keylens {
namespace {

constexpr int64_t kLen = 65'600;  // kLen * kLen > 2^32
constexpr int64_t kDim = 3;

// The keys that every query sees: near both ends.
constexpr int64_t kLiveKeys[] = {5, 6, 40'000, kLen - 9, kLen - 1};
constexpr int64_t kNumLive = 5;

// A case with no more than the live keys, and rows [first, first + count) of
// the queries.
AttentionCase Gathered(AttentionCase& all, int64_t first, int64_t count) {
  AttentionCase gathered({1, 1, 1, count, kNumLive, kDim, kDim});
  for (int64_t d = 0; d < kDim; ++d) {
    for (int64_t i = 0; i < count; ++i) {
      gathered.query({0, 0, i, d}) = all.query({0, 0, first + i, d});
      gathered.out_grad({0, 0, i, d}) = all.out_grad({0, 0, first + i, d});
    }
    for (int64_t j = 0; j < kNumLive; ++j) {
      gathered.key({0, 0, j, d}) = all.key({0, 0, kLiveKeys[j], d});
      gathered.value({0, 0, j, d}) = all.value({0, 0, kLiveKeys[j], d});
    }
  }
  return gathered;
}

class Huge : public ::testing::Test {
 protected:
  Huge()
      : live_({1, 1, 1, kLen}), attention_({1, 1, 1, kLen, kLen, kDim, kDim}) {
    live_.Fill([] { return false; });
    for (const int64_t key : kLiveKeys) live_({0, 0, 0, key}) = true;
    mask_ = DenseMask(TensorView<const bool, 4>{
        live_.view().data, {1, 1, kLen, kLen}, {0, 0, 0, 1}});
    attention_.options.mask = mask_.get();
  }

  Buffer<bool, 4> live_;
  AttentionCase attention_;
  std::unique_ptr<Mask> mask_;
};

TEST_F(Huge, L7_ForwardAndStatistics) {
  constexpr int64_t kRows = 2;
  Buffer<float, 4> weights({1, 1, kRows, kLen});
  Buffer<float, 3> key_mass({1, 1, kLen});
  Buffer<int64_t, 4> top_keys({1, 1, kLen, 1});
  Inspection inspection;
  inspection.query_rows = {kLen - kRows, kLen};
  inspection.weights = weights.view();
  inspection.key_mass = key_mass.view();
  inspection.top_keys = top_keys.view();
  ForwardResult forward = Forward(attention_, &inspection);

  for (const int64_t first : {int64_t{0}, int64_t{32'768}, kLen - kRows}) {
    const AttentionCase gathered = Gathered(attention_, first, kRows);
    const auto oracle = ReferenceForward<double>(gathered.Inputs(), {});
    for (int64_t i = 0; i < kRows; ++i) {
      EXPECT_NEAR(forward.logsumexp({0, 0, first + i}), oracle.logsumexp[i],
                  1e-5);
      for (int64_t d = 0; d < kDim; ++d) {
        EXPECT_NEAR(forward.out({0, 0, first + i, d}), oracle.out[i * kDim + d],
                    1e-5);
      }
      if (first != kLen - kRows) continue;
      for (int64_t j = 0; j < kNumLive; ++j) {
        EXPECT_NEAR(weights({0, 0, i, kLiveKeys[j]}),
                    oracle.weights[i * kNumLive + j], 1e-6);
      }
      EXPECT_EQ(weights({0, 0, i, 7}), 0);
    }
  }
  double mass = 0;
  for (const int64_t key : kLiveKeys) mass += key_mass({0, 0, key});
  EXPECT_NEAR(mass, kLen, 0.1);
  EXPECT_EQ(key_mass({0, 0, 7}), 0);
}

TEST_F(Huge, L7_Backward) {
  ForwardResult forward = Forward(attention_);
  Gradients gradients = Backward(attention_, forward);
  const AttentionCase gathered = Gathered(attention_, 0, kLen);
  const auto oracle = ReferenceBackward<double, float>(
      gathered.Inputs(), {}, gathered.out_grad.view());
  for (int64_t d = 0; d < kDim; ++d) {
    for (const int64_t row : {int64_t{0}, int64_t{32'767}, kLen - 1}) {
      EXPECT_NEAR(gradients.query({0, 0, row, d}), oracle.query[row * kDim + d],
                  1e-5);
    }
    for (int64_t j = 0; j < kNumLive; ++j) {
      // Sums of 65,600 terms of about 1.
      EXPECT_NEAR(gradients.key({0, 0, kLiveKeys[j], d}),
                  oracle.key[j * kDim + d], 0.02);
      EXPECT_NEAR(gradients.value({0, 0, kLiveKeys[j], d}),
                  oracle.value[j * kDim + d], 0.02);
    }
    EXPECT_EQ(gradients.key({0, 0, 7, d}), 0);
  }
}

// Virtual memory of which a test touches little.
class Reserved {
 public:
  explicit Reserved(int64_t floats) : bytes_(floats * sizeof(float)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Reserved() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  float* data() const {
    return memory_ == MAP_FAILED ? nullptr : static_cast<float*>(memory_);
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

// Rows 2^31 elements apart in every input and output.
TEST(HugeStrides, L7_OffsetsBeyond32Bits) {
  constexpr int64_t kApart = int64_t{1} << 31;
  constexpr AttentionShape kShape = {1, 2, 1, 3, 4, 5, 6};
  const AttentionCase dense(kShape);
  const Reserved memory(4 * kApart + (int64_t{1} << 20));
  if (memory.data() == nullptr) GTEST_SKIP() << "no address space";
  int64_t next = 0;
  const auto spread = [&](const std::array<int64_t, 4>& shape) {
    const TensorView<float, 4> view = {
        memory.data() + next, shape, {200, 100, kApart, 1}};
    next += 1000;
    return view;
  };
  const auto copy = [&](const Buffer<float, 4>& from) {
    const auto view = spread(from.view().shape);
    const auto values = from.Values();
    std::size_t i = 0;
    ForEachIndex<4>(view.shape, [&](const auto& index) {
      view.data[OffsetOf(view, index)] = values[i++];
    });
    return view;
  };
  const AttentionInputs<float> inputs = {copy(dense.query), copy(dense.key),
                                         copy(dense.value)};
  ForwardResult wanted = Forward(dense);
  const auto out = spread({1, 2, 3, 6});
  AttentionForward<float>(inputs, {}, {out, wanted.logsumexp.view()});
  EXPECT_TRUE(SameBits(Values(out), wanted.out.Values()));
  const Gradients grad = Backward(dense, wanted);
  const AttentionGradients<float> views = {
      spread({1, 2, 3, 5}), spread({1, 1, 4, 5}), spread({1, 1, 4, 6})};
  AttentionBackward<float>(inputs, {}, {out, wanted.logsumexp.view()},
                           copy(dense.out_grad), views);
  EXPECT_TRUE(SameBits(Values(views.query), grad.query.Values()));
  EXPECT_TRUE(SameBits(Values(views.key), grad.key.Values()));
  EXPECT_TRUE(SameBits(Values(views.value), grad.value.Values()));
}

}  // namespace
}  // namespace keylens
