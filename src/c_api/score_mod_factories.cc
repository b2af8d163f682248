#include <keylens/score_mod.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "src/c_api/handles.h"
#include "src/c_api/tensors.h"

namespace keylens::c_api {
namespace {

// Makes a score mod by the C function of that name.
template <typename Make>
keylens_status MakeScoreMod(const char* function, keylens_score_mod** mod,
                            Make&& make) noexcept {
  return MakeHandle(function, "mod", mod, [&] {
    return keylens_score_mod{std::shared_ptr<const ScoreMod>(make())};
  });
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::Array;
using keylens::c_api::MakeScoreMod;
using keylens::c_api::Required;
using keylens::c_api::ToView;

extern "C" {

void keylens_score_mod_destroy(keylens_score_mod* mod) { delete mod; }

keylens_status keylens_additive_bias(const keylens_tensor* bias,
                                     const keylens_tensor* gradient,
                                     keylens_score_mod** mod) {
  return MakeScoreMod("keylens_additive_bias", mod, [&] {
    const auto added = ToView<const float, 4>("bias", Required("bias", bias));
    if (gradient == nullptr) return keylens::AdditiveBias(added);
    return keylens::AdditiveBias(added,
                                 ToView<float, 4>("gradient", *gradient));
  });
}

keylens_status keylens_alibi_bias(const float* slopes, int64_t num_heads,
                                  float* gradient, keylens_score_mod** mod) {
  return MakeScoreMod("keylens_alibi_bias", mod, [&] {
    const auto given = Array("slopes", slopes, num_heads);
    if (gradient == nullptr)
      return keylens::AlibiBias({given.begin(), given.end()});
    return keylens::AlibiBias({given.begin(), given.end()},
                              keylens::Contiguous(gradient, {num_heads}));
  });
}

keylens_status keylens_alibi_slopes(int64_t num_heads, float* slopes) {
  return keylens::c_api::Guarded("keylens_alibi_slopes", [&] {
    const auto to = Array("slopes", slopes, num_heads);
    std::ranges::copy(keylens::AlibiSlopes(num_heads), to.begin());
  });
}

keylens_status keylens_soft_cap(float cap, keylens_score_mod** mod) {
  return MakeScoreMod("keylens_soft_cap", mod,
                      [&] { return keylens::SoftCap(cap); });
}

keylens_status keylens_relative_position_bias(const keylens_tensor* table,
                                              const keylens_tensor* gradient,
                                              int32_t bidirectional,
                                              int64_t max_distance,
                                              keylens_score_mod** mod) {
  return MakeScoreMod("keylens_relative_position_bias", mod, [&] {
    const auto added =
        ToView<const float, 2>("table", Required("table", table));
    const keylens::RelativePositionBiasOptions options = {bidirectional != 0,
                                                          max_distance};
    if (gradient == nullptr)
      return keylens::RelativePositionBias(added, options);
    return keylens::RelativePositionBias(
        added, ToView<float, 2>("gradient", *gradient), options);
  });
}

}  // extern "C"
