// keylens/mask.h: the masks that are there, alone and together. For one of your
// own see dilated_causal_mask.cc.

#include <keylens/attention.h>
#include <keylens/mask.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr int64_t kLen = 9;

// All scores are equal, so the output is the mean of the keys a query sees.
std::vector<float> MeanOfLiveKeys(const keylens::Mask* mask) {
  const std::vector<float> zeros(kLen, 0.0f);
  std::vector<float> index(kLen), out(kLen);
  for (int64_t j = 0; j < kLen; ++j) index[j] = static_cast<float>(j);
  keylens::AttentionOptions options;
  options.mask = mask;
  keylens::AttentionForward<float>(
      {keylens::Contiguous(zeros.data(), {1, 1, kLen, 1}),
       keylens::Contiguous(zeros.data(), {1, 1, kLen, 1}),
       keylens::Contiguous(std::as_const(index).data(), {1, 1, kLen, 1})},
      options, {keylens::Contiguous(out.data(), {1, 1, kLen, 1}), {}});
  return out;
}

bool Near(float actual, float wanted) {
  std::printf("%g, wanted %g\n", actual, wanted);
  return std::abs(actual - wanted) < 1e-5f;
}

}  // namespace

int main() {
  using keylens::CausalAlignment;
  const auto causal = keylens::CausalMask(CausalAlignment::kTopLeft);
  const auto window =
      keylens::SlidingWindowMask(2, 1, CausalAlignment::kTopLeft);
  const auto prefix = keylens::PrefixMask(4);
  const std::vector<int32_t> ids = {7, 7, 7, 3, 3, 3, 3, 5, 5};
  const auto documents = keylens::DocumentMask(ids, ids);
  const auto padding = keylens::KeyPaddingMask({5});  // keys 5 to 8 are dead
  const auto both = keylens::AllOf({causal.get(), padding.get()});
  bool right = Near(MeanOfLiveKeys(nullptr)[8], 4);
  right = Near(MeanOfLiveKeys(causal.get())[6], 3) && right;       // 0 to 6
  right = Near(MeanOfLiveKeys(window.get())[6], 5.5) && right;     // 4 to 7
  right = Near(MeanOfLiveKeys(prefix.get())[2], 1.5) && right;     // 0 to 3
  right = Near(MeanOfLiveKeys(prefix.get())[8], 4) && right;       // 0 to 8
  right = Near(MeanOfLiveKeys(documents.get())[4], 4.5) && right;  // 3 to 6
  right = Near(MeanOfLiveKeys(both.get())[6], 2) && right;         // 0 to 4
  return right ? 0 : 1;
}
