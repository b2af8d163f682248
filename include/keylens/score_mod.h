#ifndef KEYLENS_SCORE_MOD_H_
#define KEYLENS_SCORE_MOD_H_

#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <memory>
#include <string>

namespace keylens {

// A change to the scaled scores, before the mask. Each score may depend on its
// own old value and its place only.
//
// Score mods are open: derive, and pass pointers in AttentionOptions. Each
// function costs one call per tile. They are called from several threads at
// once, for overlapping tiles and in any order.
class ScoreMod {
 public:
  virtual ~ScoreMod() = default;

  // Changes the scores (natural units: scale * query . key, after the mods
  // before this one) in place.
  virtual void Forward(ScoreTile scores) const = 0;

  // Turns `grad`, the gradient of the loss by the scores that Forward left,
  // into the gradient by those it was given: grad *= d(after) / d(before).
  // `before` holds the scores that Forward was given; it has the coord of
  // `grad` but a row stride of its own, and must not be changed. Masked entries
  // of `grad` are 0 and must stay 0.
  virtual void Backward(ScoreTile before, ScoreTile grad) const = 0;

  // Whether Backward reads `before`; a mod that says no saves the copy, and
  // gets a `before` without data.
  virtual bool BackwardReadsScores() const { return true; }

  // Why this mod cannot be used with scores of that shape; empty when it can.
  // Asked once per call, before any work; the answer becomes the text of the
  // std::invalid_argument.
  virtual std::string Misfit(const ScoreShape& shape) const;
};

// Adds bias[batch, num_heads, query_len, kv_len] to the scores; stride 0
// broadcasts an axis, and an axis of length 1 does too. -inf masks a key. The
// memory is not copied: it must stay, unchanged, during every call that uses
// the mod. Throws std::invalid_argument when `bias` has elements but no data.
std::unique_ptr<ScoreMod> AdditiveBias(TensorView<const float, 4> bias);

}  // namespace keylens

#endif  // KEYLENS_SCORE_MOD_H_
