#include <memory>
#include <string>

#include "src/c_api/handles.h"

namespace keylens::c_api {

keylens_score_shape ToC(const ScoreShape& shape) {
  return {shape.batch, shape.num_heads, shape.query_len, shape.kv_len};
}

keylens_tile_coord ToC(const TileCoord& coord) {
  return {coord.batch,     coord.head,     coord.first_query, coord.num_queries,
          coord.first_key, coord.num_keys, coord.query_len,   coord.kv_len};
}

keylens_score_tile ToC(const ScoreTile& tile) {
  return {tile.data, tile.row_stride, ToC(tile.coord)};
}

namespace {

class CustomMask final : public Mask {
 public:
  // The last step of making a handle: nothing may fail once there is an object
  // whose destructor calls the caller's `destroy`.
  explicit CustomMask(const keylens_mask_functions& functions) noexcept
      : functions_(functions) {}
  ~CustomMask() override {
    if (functions_.destroy != nullptr) functions_.destroy(functions_.context);
  }
  CustomMask(const CustomMask&) = delete;
  CustomMask& operator=(const CustomMask&) = delete;

  TileClass Classify(const TileCoord& coord) const override {
    if (functions_.classify == nullptr) return TileClass::kPartial;
    const keylens_tile_coord tile = ToC(coord);
    const keylens_tile_class answer =
        functions_.classify(functions_.context, &tile);
    switch (answer) {
      case KEYLENS_TILE_EMPTY:
        return TileClass::kEmpty;
      case KEYLENS_TILE_PARTIAL:
        return TileClass::kPartial;
      case KEYLENS_TILE_FULL:
        return TileClass::kFull;
      default:
        throw InvalidCall("classify of a custom mask returned " +
                          std::to_string(answer) +
                          ", which is no keylens_tile_class");
    }
  }

  void Apply(ScoreTile scores) const override {
    const keylens_score_tile tile = ToC(scores);
    functions_.apply(functions_.context, &tile);
  }

  std::string Misfit(const ScoreShape& shape) const override {
    if (functions_.misfit == nullptr) return {};
    const keylens_score_shape scores = ToC(shape);
    const char* text = functions_.misfit(functions_.context, &scores);
    return text == nullptr ? "" : text;
  }

 private:
  keylens_mask_functions functions_;
};

}  // namespace
}  // namespace keylens::c_api

extern "C" keylens_status keylens_custom_mask(
    const keylens_mask_functions* functions, keylens_mask** mask) {
  using keylens::c_api::CustomMask;
  using keylens::c_api::Required;
  return keylens::c_api::MakeHandle("keylens_custom_mask", "mask", mask, [&] {
    Required("functions", functions);
    Required("functions->apply", functions->apply);
    return keylens_mask{std::make_shared<CustomMask>(*functions)};
  });
}
