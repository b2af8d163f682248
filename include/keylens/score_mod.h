#ifndef KEYLENS_SCORE_MOD_H_
#define KEYLENS_SCORE_MOD_H_

#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace keylens {

// Of one head and batch entry, tiles whose first keys lie in the same
// kKeysInOrder, counted from key 0, are handed to a mod's Backward one after
// the other, in an order that depends on shapes alone.
inline constexpr int64_t kKeysInOrder = 64;

// Which other tiles are; the rest may come at once.
enum class BackwardOrder {
  kAny,      // none: the mod adds nothing up, or for each such stretch of keys
  kByQuery,  // tiles of the same queries, whatever their keys, head and batch
             // entry: for sums that each belong to a query
  kByKey,    // tiles of the same keys likewise: for sums over queries
  kTotal,    // all tiles: slow, one thread works at a time
};

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
  // of `grad` are 0 and must stay 0, whatever `before` holds there: 0 times the
  // derivative at a NaN would be a NaN.
  virtual void Backward(ScoreTile before, ScoreTile grad) const = 0;

  // For mods that learn: Backward may add up a gradient of the mod's own. Where
  // it does, say in which order tiles must come, so that sums have the same
  // bits for any number of threads; BeginBackward is called once before them,
  // and EndBackward once after them, unless one throws. A tile that the mask
  // leaves empty is not handed in.
  virtual BackwardOrder OrderOfBackward() const { return BackwardOrder::kAny; }
  virtual void BeginBackward(const ScoreShape& shape) const;
  virtual void EndBackward() const;

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

// The same, and AttentionBackward writes the gradient of the loss by the bias
// to `gradient`, which has the shape of `bias`; an axis of length 1 gets the
// sum over what it was broadcast to. Throws std::invalid_argument when the
// shapes differ, or where `gradient` has a stride of 0 on a longer axis.
std::unique_ptr<ScoreMod> AdditiveBias(TensorView<const float, 4> bias,
                                       TensorView<float, 4> gradient);

// Subtracts slopes[head] * distance from each score, where distance = |i +
// kv_len - query_len - j| for query i and key j: how far the key is from the
// one that the query stands beside under CausalAlignment::kBottomRight. With a
// causal mask of that alignment these are the linear biases of Press, Smith and
// Lewis, "Train Short, Test Long: Attention with Linear Biases Enables Input
// Length Extrapolation" (2022), section 3; without one, keys that come later
// are as far as those that came before.
//
// slopes: one per query head, each finite; AlibiSlopes gives the paper's.
// Throws std::invalid_argument for a slope that is NaN or infinite.
std::unique_ptr<ScoreMod> AlibiBias(std::vector<float> slopes);

// The same, and AttentionBackward writes the gradient of the loss by the slopes
// to `gradient`, one per head, which is not owned; a backward pass at a time.
// Throws std::invalid_argument for another length, null data or a stride of 0.
std::unique_ptr<ScoreMod> AlibiBias(std::vector<float> slopes,
                                    TensorView<float, 1> gradient);

// The slopes of that paper: for num_heads a power of two 2^(-8 (h + 1) /
// num_heads), h = 0, 1, ...; for other counts those of the next lower power of
// two p, then every second one of 2 p, from the first, until there are enough
// (as in the authors' code). Throws std::invalid_argument for a negative count.
std::vector<float> AlibiSlopes(int64_t num_heads);

// cap * tanh(score / cap): leaves small scores as they are and none above cap
// (the logit clipping of Bello et al., "Neural Combinatorial Optimization with
// Reinforcement Learning", 2016; the soft cap of Gemma 2). At most 4 units in
// the last place off. +inf becomes cap, -inf becomes -cap - a bias of -inf that
// is to mask must therefore come later - and NaN stays NaN. Throws
// std::invalid_argument unless cap is finite and above 0.
std::unique_ptr<ScoreMod> SoftCap(float cap);

// How RelativePositionBias divides distances among buckets.
struct RelativePositionBiasOptions {
  // Whether keys after the query have buckets of their own, the upper half of
  // all; otherwise they share bucket 0 with the key the query stands beside.
  bool bidirectional = true;

  // From this distance on, keys share the last bucket of their direction.
  int64_t max_distance = 128;
};

// Adds table[head][bucket(offset)] to each score, where offset = j - (i +
// kv_len - query_len) for query i and key j: how far the key comes after the
// one that the query stands beside under CausalAlignment::kBottomRight.
//
// The buckets are those of Raffel et al., "Exploring the Limits of Transfer
// Learning with a Unified Text-to-Text Transformer" (T5, 2020), section 2.1, as
// the authors' code has them. With B buckets for a direction and E = B / 2
// rounded down, a distance n below E has a bucket of its own, n; from there to
// max_distance buckets widen geometrically:
//
//   E + floor((B - E) ln(n / E) / ln(max_distance / E)), at most B - 1
//
// B is num_buckets, or half of it where bidirectional; there a key after the
// query adds B to its bucket.
//
// table: [num_heads, num_buckets]; checkpoints that hold [num_buckets,
// num_heads] are read through strides. Not copied: the memory must stay,
// unchanged, during every call that uses the mod. -inf masks a bucket's keys.
// Throws std::invalid_argument when
// the table has elements but no data, for fewer than 2 buckets per direction or
// an odd number of them in two, and for max_distance <= E.
std::unique_ptr<ScoreMod> RelativePositionBias(
    TensorView<const float, 2> table,
    const RelativePositionBiasOptions& options = {});

// The same, and AttentionBackward writes the gradient of the loss by the table
// to `gradient`, which is not owned; a backward pass at a time. Throws
// std::invalid_argument also where `gradient` has not the shape of the table,
// has null data, or a stride of 0 on a longer axis.
std::unique_ptr<ScoreMod> RelativePositionBias(
    TensorView<const float, 2> table, TensorView<float, 2> gradient,
    const RelativePositionBiasOptions& options = {});

}  // namespace keylens

#endif  // KEYLENS_SCORE_MOD_H_
