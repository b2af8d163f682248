#include <keylens/mask.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace keylens {
namespace {

class Conjunction final : public Mask {
 public:
  explicit Conjunction(std::vector<const Mask*> masks)
      : masks_(std::move(masks)) {}

  TileClass Classify(const TileCoord& coord) const override {
    TileClass all = TileClass::kFull;
    for (const Mask* mask : masks_) {
      const TileClass one = mask->Classify(coord);
      if (one == TileClass::kEmpty) return TileClass::kEmpty;
      if (one == TileClass::kPartial) all = TileClass::kPartial;
    }
    return all;
  }

  // A mask that is full on this tile changes nothing, so none is asked again.
  void Apply(ScoreTile scores) const override {
    for (const Mask* mask : masks_) mask->Apply(scores);
  }

  std::string Misfit(const ScoreShape& shape) const override {
    for (const Mask* mask : masks_) {
      std::string why = mask->Misfit(shape);
      if (!why.empty()) return why;
    }
    return "";
  }

 private:
  std::vector<const Mask*> masks_;
};

}  // namespace

std::unique_ptr<Mask> AllOf(std::vector<const Mask*> masks) {
  for (const Mask* mask : masks) {
    if (mask == nullptr) throw std::invalid_argument("AllOf: a mask is null");
  }
  return std::make_unique<Conjunction>(std::move(masks));
}

}  // namespace keylens
