#include <keylens/dropout.h>

#include "src/c_api/handles.h"

namespace keylens::c_api {

AttentionOptions ToOptions(const keylens_options* options) {
  AttentionOptions result;
  if (options == nullptr) return result;
  result.scale = options->scale;
  result.mask = options->mask.get();
  for (const auto& mod : options->score_mods)
    result.score_mods.push_back(mod.get());
  result.sinks = options->sinks;
  result.dropout = options->dropout;
  result.num_threads = options->num_threads;
  return result;
}

namespace {

// Runs set(options) for the setter of that name.
template <typename Set>
keylens_status SetOption(const char* function, keylens_options* options,
                         Set&& set) noexcept {
  return Guarded(function, [&] { set(Required("options", options)); });
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::SetOption;

extern "C" {

keylens_status keylens_options_create(keylens_options** options) {
  return keylens::c_api::MakeHandle("keylens_options_create", "options",
                                    options, [] { return keylens_options(); });
}

void keylens_options_destroy(keylens_options* options) { delete options; }

keylens_status keylens_options_set_scale(keylens_options* options,
                                         float scale) {
  return SetOption("keylens_options_set_scale", options,
                   [&](keylens_options& to) { to.scale = scale; });
}

keylens_status keylens_options_set_default_scale(keylens_options* options) {
  return SetOption("keylens_options_set_default_scale", options,
                   [](keylens_options& to) { to.scale.reset(); });
}

keylens_status keylens_options_set_mask(keylens_options* options,
                                        const keylens_mask* mask) {
  return SetOption("keylens_options_set_mask", options,
                   [&](keylens_options& to) {
                     to.mask = mask == nullptr ? nullptr : mask->mask;
                   });
}

keylens_status keylens_options_add_score_mod(keylens_options* options,
                                             const keylens_score_mod* mod) {
  return SetOption(
      "keylens_options_add_score_mod", options, [&](keylens_options& to) {
        to.score_mods.push_back(keylens::c_api::Required("mod", mod).mod);
      });
}

keylens_status keylens_options_clear_score_mods(keylens_options* options) {
  return SetOption("keylens_options_clear_score_mods", options,
                   [](keylens_options& to) { to.score_mods.clear(); });
}

keylens_status keylens_options_set_sinks(keylens_options* options,
                                         const float* sinks,
                                         int64_t num_heads) {
  return SetOption(
      "keylens_options_set_sinks", options, [&](keylens_options& to) {
        const auto given = keylens::c_api::Array("sinks", sinks, num_heads);
        to.sinks.assign(given.begin(), given.end());
      });
}

keylens_status keylens_options_set_dropout(keylens_options* options,
                                           float probability, uint64_t seed) {
  return SetOption("keylens_options_set_dropout", options,
                   [&](keylens_options& to) {
                     to.dropout = {probability, seed};
                   });
}

keylens_status keylens_options_set_num_threads(keylens_options* options,
                                               int32_t num_threads) {
  return SetOption("keylens_options_set_num_threads", options,
                   [&](keylens_options& to) { to.num_threads = num_threads; });
}

keylens_status keylens_dropout_keeps(float probability, uint64_t seed,
                                     int64_t batch, int64_t head, int64_t query,
                                     int64_t key, int32_t* keeps) {
  return keylens::c_api::Guarded("keylens_dropout_keeps", [&] {
    int32_t& result = keylens::c_api::Required("keeps", keeps);
    if (!(probability >= 0.0f && probability < 1.0f)) {
      throw keylens::c_api::InvalidCall("the dropout probability " +
                                        std::to_string(probability) +
                                        " is not in [0, 1)");
    }
    result = keylens::DropoutKeeps({probability, seed}, batch, head, query, key)
                 ? 1
                 : 0;
  });
}

}  // extern "C"
