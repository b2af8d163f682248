#include <keylens/engine.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  const int64_t batch = 1, heads = 8, len = 1000, dim = 64;
  std::vector<float> query(batch * heads * len * dim), key(query), value(query),
      out(query);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (auto* tensor : {&query, &key, &value}) {
    for (float& x : *tensor) x = normal(random);
  }

  // Four views (any strides would do), one call, and beside the output: how
  // widely each query looks, and its three most important keys.
  std::vector<float> entropy(batch * heads * len);
  std::vector<int64_t> top_keys(batch * heads * len * 3);
  keylens::Inspection look;
  look.entropy = keylens::Contiguous(entropy.data(), {batch, heads, len});
  look.top_keys = keylens::Contiguous(top_keys.data(), {batch, heads, len, 3});

  const auto causal =
      keylens::CausalMask(keylens::CausalAlignment::kBottomRight);
  keylens::AttentionOptions options;
  options.mask = causal.get();
  const auto view = [&](auto* data) {
    return keylens::Contiguous(data, {batch, heads, len, dim});
  };
  keylens::AttentionForward<float>(
      {view(query.data()), view(key.data()), view(value.data())}, options,
      {view(out.data()), {}}, &look);

  const int64_t last = len - 1;  // the last query of head 0
  std::printf("query %d: entropy %.2f nats, keys %d, %d and %d\n",
              static_cast<int>(last), entropy[last],
              static_cast<int>(top_keys[last * 3]),
              static_cast<int>(top_keys[last * 3 + 1]),
              static_cast<int>(top_keys[last * 3 + 2]));
}
