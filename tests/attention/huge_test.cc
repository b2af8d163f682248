// Line 7: query_len * kv_len beyond 2^32, and elements further apart than that.
// Few tiles are live, and little of the memory is ever touched.

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <sys/mman.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"
#include "tests/attention/element.h"

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

class Huge : public ::testing::TestWithParam<Element> {
 protected:
  Huge()
      : live_({1, 1, 1, kLen}), attention_({1, 1, 1, kLen, kLen, kDim, kDim}) {
    live_.Fill([] { return false; });
    for (const int64_t key : kLiveKeys) live_({0, 0, 0, key}) = true;
    mask_ = DenseMask(TensorView<const bool, 4>{
        live_.view().data, {1, 1, kLen, kLen}, {0, 0, 0, 1}});
    attention_.options.mask = mask_.get();
  }

  const ChosenElement chosen_{GetParam()};
  Buffer<bool, 4> live_;
  AttentionCase attention_;
  std::unique_ptr<Mask> mask_;
};

INSTANTIATE_TEST_SUITE_P(, Huge, ::testing::ValuesIn(kElements),
                         [](const auto& info) {
                           return ElementName(info.param);
                         });

TEST_P(Huge, L7_ForwardAndStatistics) {
  constexpr int64_t kRows = 2;
  Buffer<float, 4> weights({1, 1, kRows, kLen});
  Buffer<float, 3> key_mass({1, 1, kLen});
  Buffer<float, 3> offset_mass({1, 1, 2 * kLen - 1});
  Buffer<int64_t, 4> top_keys({1, 1, kLen, 1});
  Inspection inspection;
  inspection.query_rows = {kLen - kRows, kLen};
  inspection.weights = weights.view();
  inspection.key_mass = key_mass.view();
  inspection.offset_mass = offset_mass.view();
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
                    1e-5 + RoundingOf(4));
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
  double by_offset = 0;
  for (int64_t at = 0; at < 2 * kLen - 1; ++at)
    by_offset += offset_mass({0, 0, at});
  EXPECT_NEAR(by_offset, kLen, 0.1);
}

TEST_P(Huge, L7_Backward) {
  ForwardResult forward = Forward(attention_);
  Gradients gradients = Backward(attention_, forward);
  const AttentionCase gathered = Gathered(attention_, 0, kLen);
  const AttentionPart<float> saved = forward.Saved();
  const auto oracle = ReferenceBackward<double, float>(
      gathered.Inputs(), {}, gathered.out_grad.view(), &saved);
  const auto expect_near = [](float actual, double wanted, double tolerance) {
    EXPECT_NEAR(actual, wanted, tolerance + RoundingOf(std::abs(wanted)));
  };
  for (int64_t d = 0; d < kDim; ++d) {
    for (const int64_t row : {int64_t{0}, int64_t{32'767}, kLen - 1}) {
      expect_near(gradients.query({0, 0, row, d}), oracle.query[row * kDim + d],
                  1e-5);
    }
    for (int64_t j = 0; j < kNumLive; ++j) {
      // Sums of 65,600 terms of about 1.
      expect_near(gradients.key({0, 0, kLiveKeys[j], d}),
                  oracle.key[j * kDim + d], 0.02);
      expect_near(gradients.value({0, 0, kLiveKeys[j], d}),
                  oracle.value[j * kDim + d], 0.02);
    }
    EXPECT_EQ(gradients.key({0, 0, 7, d}), 0);
  }
}

// Virtual memory of which a test touches little.
template <typename T>
class Reserved {
 public:
  explicit Reserved(int64_t elements) : bytes_(elements * sizeof(T)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Reserved() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  T* data() const {
    return memory_ == MAP_FAILED ? nullptr : static_cast<T*>(memory_);
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

constexpr int64_t kApart = int64_t{1} << 31;

// Tensors whose rows are kApart elements from each other.
template <typename T>
class Spread {
 public:
  bool has_memory() const { return memory_.data() != nullptr; }

  TensorView<T, 4> Room(const std::array<int64_t, 4>& shape) {
    const TensorView<T, 4> view = {
        memory_.data() + next_, shape, {200, 100, kApart, 1}};
    next_ += 1000;
    return view;
  }
  TensorView<T, 4> Copy(const Buffer<float, 4>& from) {
    const auto view = Room(from.view().shape);
    const auto values = from.Values();
    std::size_t i = 0;
    ForEachIndex<4>(view.shape, [&](const auto& index) {
      view.data[OffsetOf(view, index)] = T(values[i++]);
    });
    return view;
  }

 private:
  Reserved<T> memory_{4 * kApart + (int64_t{1} << 20)};
  int64_t next_ = 0;
};

template <typename T>
void ExpectSameBits(const TensorView<T, 4>& actual,
                    const Buffer<float, 4>& wanted) {
  std::vector<float> values;
  for (const T element : Values(actual)) {
    values.push_back(static_cast<float>(element));
  }
  EXPECT_TRUE(SameBits(values, wanted.Values()));
}

TEST_P(Huge, L7_OffsetsBeyond32Bits) {
  const AttentionCase dense({1, 2, 1, 3, 4, 5, 6});
  ForwardResult wanted = Forward(dense);
  const Gradients grad = Backward(dense, wanted);
  ForChosenType([&]<typename T>() {
    Spread<T> spread;
    if (!spread.has_memory()) GTEST_SKIP() << "no address space";
    const AttentionInputs<T> inputs = {spread.Copy(dense.query),
                                       spread.Copy(dense.key),
                                       spread.Copy(dense.value)};
    const auto out = spread.Room({1, 2, 3, 6});
    AttentionForward<T>(inputs, {}, {out, wanted.logsumexp.view()});
    ExpectSameBits(out, wanted.out);
    const AttentionGradients<T> views = {spread.Room({1, 2, 3, 5}),
                                         spread.Room({1, 1, 4, 5}),
                                         spread.Room({1, 1, 4, 6})};
    AttentionBackward<T>(inputs, {}, {out, wanted.logsumexp.view()},
                         spread.Copy(dense.out_grad), views);
    ExpectSameBits(views.query, grad.query);
    ExpectSameBits(views.key, grad.key);
    ExpectSameBits(views.value, grad.value);
  });
}

}  // namespace
}  // namespace keylens
