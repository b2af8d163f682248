// Two keys with equal scores: the output is the mean of their values.

#include <keylens/engine.h>

#include <cmath>
#include <cstdio>

int main() {
  const float query[2] = {1, 2};
  const float key[4] = {3, 4, 3, 4};
  const float value[2] = {10, 20};
  float out[1] = {0};
  const keylens::AttentionInputs<float> inputs = {
      keylens::Contiguous(query, {1, 1, 1, 2}),
      keylens::Contiguous(key, {1, 1, 2, 2}),
      keylens::Contiguous(value, {1, 1, 2, 1})};
  const auto causal =
      keylens::CausalMask(keylens::CausalAlignment::kBottomRight);
  keylens::AttentionOptions options;
  options.mask = causal.get();
  keylens::AttentionForward<float>(
      inputs, options, {keylens::Contiguous(out, {1, 1, 1, 1}), {}});
  std::printf("%g\n", out[0]);
  return std::abs(out[0] - 15) < 1e-5f ? 0 : 1;
}
