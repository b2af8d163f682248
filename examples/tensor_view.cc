// keylens/tensor_view.h: attention over memory as it lies.
//
// A linear layer leaves query, key and value packed: [len, 3, heads, dim].
// Three views with strides say so, and nothing is copied or transposed.

#include <keylens/attention.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int64_t kLen = 50, kHeads = 4, kDim = 16;

// Query (0), key (1) or value (2), as [1, heads, len, dim].
keylens::TensorView<const float, 4> Part(const std::vector<float>& packed,
                                         int part) {
  return {packed.data() + part * kHeads * kDim,
          {1, kHeads, kLen, kDim},
          {0, kDim, 3 * kHeads * kDim, 1}};
}

std::vector<float> DenseCopy(const keylens::TensorView<const float, 4>& view) {
  std::vector<float> copy;
  for (int64_t h = 0; h < kHeads; ++h) {
    for (int64_t i = 0; i < kLen; ++i) {
      for (int64_t d = 0; d < kDim; ++d) {
        copy.push_back(view.data[h * view.strides[1] + i * view.strides[2] +
                                 d * view.strides[3]]);
      }
    }
  }
  return copy;
}

}  // namespace

int main() {
  std::vector<float> packed(kLen * 3 * kHeads * kDim);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& x : packed) x = normal(random);

  // The output goes where the next linear layer wants it: [len, heads, dim].
  std::vector<float> out(kLen * kHeads * kDim);
  const keylens::TensorView<float, 4> out_view = {
      out.data(), {1, kHeads, kLen, kDim}, {0, kDim, kHeads * kDim, 1}};
  keylens::AttentionForward<float>(
      {Part(packed, 0), Part(packed, 1), Part(packed, 2)}, {}, {out_view, {}});

  // The same on dense copies has the same bits.
  const std::vector<float> query = DenseCopy(Part(packed, 0)),
                           key = DenseCopy(Part(packed, 1)),
                           value = DenseCopy(Part(packed, 2));
  std::vector<float> dense_out(out.size());
  const auto dense = [](auto* data) {
    return keylens::Contiguous(data, {1, kHeads, kLen, kDim});
  };
  keylens::AttentionForward<float>(
      {dense(query.data()), dense(key.data()), dense(value.data())}, {},
      {dense(dense_out.data()), {}});
  const bool same = DenseCopy(out_view) == dense_out;
  std::printf("strided and dense outputs are %s\n",
              same ? "the same" : "different");
  return same ? 0 : 1;
}
