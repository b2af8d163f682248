#ifndef KEYLENS_SRC_RANDOM_RANDOM_H_
#define KEYLENS_SRC_RANDOM_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <span>

namespace keylens {

// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators): a bijection that changes half of the bits for any change
// of its argument.
inline uint64_t MixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

inline constexpr uint64_t kGoldenStep = 0x9E3779B97F4A7C15u;  // 2^64 / phi

// One key from several numbers, such as (seed, step, example).
inline uint64_t KeyOf(std::initializer_list<uint64_t> parts) {
  uint64_t key = kGoldenStep;
  for (const uint64_t part : parts) key = MixBits(key + MixBits(part + key));
  return key;
}

// A stream of random numbers that is a function of its key alone: whoever knows
// (seed, step, example) draws the same numbers, on any thread and after any
// restart.
class Random {
 public:
  explicit Random(uint64_t key) : state_(key) {}
  Random(std::initializer_list<uint64_t> parts) : state_(KeyOf(parts)) {}

  uint64_t Bits() { return MixBits(state_ += kGoldenStep); }

  // In [0, 1).
  double Uniform() { return static_cast<double>(Bits() >> 11) * 0x1.0p-53; }

  // In [0, limit), limit at most 2^32. The bias is below limit / 2^32.
  uint64_t Below(uint64_t limit) { return ((Bits() >> 32) * limit) >> 32; }

  // In single precision: two numbers from each draw of 64 bits.
  void FillNormal(std::span<float> values) {
    constexpr float kStep = 0x1.0p-24f;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      const uint64_t bits = Bits();
      const float first = (static_cast<float>(bits >> 40) + 0.5f) * kStep;
      const float second = static_cast<float>((bits >> 8) & 0xFFFFFF) * kStep;
      const float radius = std::sqrt(-2.0f * std::log(first));
      const float angle = 2.0f * std::numbers::pi_v<float> * second;
      values[i] = radius * std::cos(angle);
      if (i + 1 < values.size()) values[i + 1] = radius * std::sin(angle);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_RANDOM_RANDOM_H_
