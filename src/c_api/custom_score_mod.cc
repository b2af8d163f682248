#include <memory>
#include <string>

#include "src/c_api/handles.h"

namespace keylens::c_api {
namespace {

BackwardOrder ToOrder(keylens_backward_order order) {
  switch (order) {
    case KEYLENS_BACKWARD_ANY:
      return BackwardOrder::kAny;
    case KEYLENS_BACKWARD_BY_QUERY:
      return BackwardOrder::kByQuery;
    case KEYLENS_BACKWARD_BY_KEY:
      return BackwardOrder::kByKey;
    case KEYLENS_BACKWARD_TOTAL:
      return BackwardOrder::kTotal;
    default:
      throw InvalidCall("functions->backward_order is " +
                        std::to_string(order) +
                        ", which is no keylens_backward_order");
  }
}

class CustomScoreMod final : public ScoreMod {
 public:
  // As with a custom mask, the last step of making a handle.
  CustomScoreMod(const keylens_score_mod_functions& functions,
                 BackwardOrder order) noexcept
      : functions_(functions), order_(order) {}
  ~CustomScoreMod() override {
    if (functions_.destroy != nullptr) functions_.destroy(functions_.context);
  }
  CustomScoreMod(const CustomScoreMod&) = delete;
  CustomScoreMod& operator=(const CustomScoreMod&) = delete;

  void Forward(ScoreTile scores) const override {
    const keylens_score_tile tile = ToC(scores);
    functions_.forward(functions_.context, &tile);
  }

  void Backward(ScoreTile before, ScoreTile grad) const override {
    const keylens_score_tile before_tile = ToC(before);
    const keylens_score_tile grad_tile = ToC(grad);
    functions_.backward(functions_.context, &before_tile, &grad_tile);
  }

  BackwardOrder OrderOfBackward() const override { return order_; }

  void BeginBackward(const ScoreShape& shape) const override {
    if (functions_.backward == nullptr)
      throw InvalidCall("a custom score mod has no backward function");
    if (functions_.begin_backward == nullptr) return;
    const keylens_score_shape scores = ToC(shape);
    functions_.begin_backward(functions_.context, &scores);
  }

  bool BackwardReadsScores() const override {
    return functions_.backward_ignores_scores == 0;
  }

  std::string Misfit(const ScoreShape& shape) const override {
    if (functions_.misfit == nullptr) return {};
    const keylens_score_shape scores = ToC(shape);
    const char* text = functions_.misfit(functions_.context, &scores);
    return text == nullptr ? "" : text;
  }

 private:
  keylens_score_mod_functions functions_;
  BackwardOrder order_;
};

}  // namespace
}  // namespace keylens::c_api

extern "C" keylens_status keylens_custom_score_mod(
    const keylens_score_mod_functions* functions, keylens_score_mod** mod) {
  using keylens::c_api::CustomScoreMod;
  using keylens::c_api::Required;
  return keylens::c_api::MakeHandle(
      "keylens_custom_score_mod", "mod", mod, [&] {
        Required("functions", functions);
        Required("functions->forward", functions->forward);
        const auto order = keylens::c_api::ToOrder(functions->backward_order);
        return keylens_score_mod{
            std::make_shared<CustomScoreMod>(*functions, order)};
      });
}
