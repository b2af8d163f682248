// keylens/inspection.h: which keys an output came from, in the same pass.
//
// 1,000 queries look among 1,000 keys; each has one key much like it, at a
// place known beforehand. The statistics find it without the 1,000 x 1,000
// weights.

#include <keylens/attention.h>
#include <keylens/inspection.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int64_t kLen = 1000, kDim = 64, kGroups = 10, kTop = 3;

int64_t Partner(int64_t query) { return (query * 7 + 3) % kLen; }

}  // namespace

int main() {
  std::vector<float> query(kLen * kDim), key(query), out(query);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& x : key) x = normal(random);
  for (int64_t i = 0; i < kLen; ++i) {
    for (int64_t d = 0; d < kDim; ++d) {
      query[i * kDim + d] = 3 * key[Partner(i) * kDim + d];
    }
  }

  std::vector<float> entropy(kLen), key_mass(kLen), pooled(kGroups * kGroups);
  std::vector<int64_t> top_keys(kLen * kTop);
  std::vector<int32_t> tenth(kLen);  // the group of each query and of each key
  for (int64_t i = 0; i < kLen; ++i) {
    tenth[i] = static_cast<int32_t>(i * kGroups / kLen);
  }
  keylens::Inspection look;
  look.entropy = keylens::Contiguous(entropy.data(), {1, 1, kLen});
  look.key_mass = keylens::Contiguous(key_mass.data(), {1, 1, kLen});
  look.top_keys = keylens::Contiguous(top_keys.data(), {1, 1, kLen, kTop});
  look.query_group = tenth;
  look.key_group = tenth;
  look.pooled = keylens::Contiguous(pooled.data(), {1, 1, kGroups, kGroups});

  const auto view = [](auto& tensor) {
    return keylens::Contiguous(tensor.data(), {1, 1, kLen, kDim});
  };
  keylens::AttentionForward<float>({view(query), view(key), view(key)}, {},
                                   {view(out), {}}, &look);

  int64_t found = 0;
  double mass = 0, all_pooled = 0;
  for (int64_t i = 0; i < kLen; ++i) {
    found += top_keys[i * kTop] == Partner(i);
    mass += key_mass[i];
  }
  for (const float sum : pooled) all_pooled += sum;
  std::printf(
      "%d of %d queries look most at their partner; query 0 with an entropy of "
      "%.3f nats\nthe keys received %.3f in all, the pooled map holds %.3f\n",
      static_cast<int>(found), static_cast<int>(kLen), entropy[0], mass,
      all_pooled);
  return found == kLen && mass > kLen - 0.1 && mass < kLen + 0.1 &&
                 all_pooled > kLen - 0.1 && all_pooled < kLen + 0.1
             ? 0
             : 1;
}
