// Attention backward: the gradient consumer of the tile loop.
//
//   P  = exp(scores - logsumexp)
//   dP = dO V^T
//   dS = P (dP - delta), where delta is the sum of out dO over value_dim; then
//        back through the score mods
//   with dropout D (0, or 1 / (1 - probability)), dP is multiplied by D, and in
//   dV so is P
//   dV = P^T dO,  dK = scale dS^T Q,  dQ = scale dS K
//
// A unit owns a stretch of the keys of one key/value head, and with it those
// rows of dK and dV. To dQ it adds its share tile by tile, in the order of the
// stretches.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_BACKWARD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_BACKWARD_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_BACKWARD_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_BACKWARD_INL_H_
#endif

#include <algorithm>
#include <memory>
#include <type_traits>

#include "src/attention/passes/gradient_tile-inl.h"
#include "src/attention/passes/relevance-inl.h"
#include "src/attention/plan/backward_stages.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/plan/plan.h"
#include "src/attention/plan/stage_order.h"
#include "src/attention/tile/dropout-inl.h"
#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

constexpr float kOne = 1.0f;

// Without dropout.
struct KeepAll {
  Vec Scaled(Vec x, int64_t /*j*/) const { return x; }
};

// x D, 0 where D is, for the columns from j on.
struct KeepSome {
  const RowDropout& dropout;
  float scale;

  Vec Scaled(Vec x, int64_t j) const {
    const FloatTag d;
    return hn::IfThenZeroElse(dropout.Dropped(j),
                              hn::Mul(x, hn::Set(d, scale)));
  }
};

// scores becomes P D, products (dO V^T) becomes dS. A masked key has P = 0 even
// where logsumexp is NaN, and where P is 0 so is dS, whatever the value holds.
template <typename Keep>
void ScoresToGradients(const ScoreTile& scores, const ScoreTile& products,
                       int64_t row, float reference, float delta,
                       const Keep& keep) {
  const FloatTag d;
  float* s = scores.Row(row);
  float* g = products.Row(row);
  for (int64_t j = 0; j < scores.coord.num_keys; j += kLanes) {
    const Vec score = hn::Load(d, s + j);
    const Vec exponential = Exp(hn::Sub(score, hn::Set(d, reference)));
    const Vec weight = hn::IfThenZeroElse(
        hn::Eq(score, hn::Set(d, kMinusInfinity)), exponential);
    const Vec weight_grad = keep.Scaled(hn::Load(d, g + j), j);
    const Vec grad = hn::Mul(weight, hn::Sub(weight_grad, hn::Set(d, delta)));
    hn::Store(keep.Scaled(weight, j), d, s + j);
    hn::Store(hn::IfThenZeroElse(hn::Eq(weight, hn::Zero(d)), grad), d, g + j);
  }
}

// c[key] += sum over rows of weights[row][key] b[row] for weights that are not
// 0: the product for rows of b that are not finite. In the order, and with the
// bits, of Product<TileColumnsOperand, kAdded>.
inline void GuardedProduct(const ScoreTile& weights, const float* b,
                           int64_t cols, float* c, int64_t c_stride) {
  const FloatTag d;
  const int64_t rows = weights.coord.num_queries;
  for (int64_t key = 0; key < weights.coord.num_keys; ++key) {
    for (int64_t row = 0; row < rows; ++row) {
      const float weight = weights.Row(row)[key];
      if (weight == 0.0f) continue;
      for (int64_t col = 0; col < cols; col += kLanes) {
        const int64_t panel = col / kPanel * kPanel;
        const int64_t width = cols - panel > kLanes ? kPanel : kLanes;
        float* sum = c + key * c_stride + col;
        const Vec element =
            hn::Load(d, b + panel * rows + row * width + col - panel);
        hn::Store(hn::MulAdd(hn::Set(d, weight), element, hn::Load(d, sum)), d,
                  sum);
      }
    }
  }
}

// What units add to together.
struct BackwardSums {
  BackwardStages stages;
  // dQ: the caller's view, or, where that cannot hold sums, memory for one
  // round of groups, [groups, heads of a group, query_len, head_dim].
  TensorView<float, 4> query;
  RelevanceSums relevance;
  BackwardOrder order;  // what the mods ask for
};

template <typename T>
class GradientConsumer {
 public:
  GradientConsumer(const Problem& problem, const BackwardViews<T>& views,
                   const BackwardSums& sums, int64_t unit_keys,
                   StageOrder& order)
      : problem_(problem),
        views_(views),
        sums_(sums),
        order_(order),
        tile_(problem),
        key_stride_(RoundUp(problem.head_dim, kLanes)),
        value_stride_(RoundUp(problem.value_dim, kLanes)),
        memory_(unit_keys *
                (2 * key_stride_ + value_stride_ + problem.value_dim)),
        key_columns_(memory_.get()),
        value_across_(key_columns_ + unit_keys * key_stride_),
        key_grad_(value_across_ + unit_keys * problem.value_dim),
        value_grad_(key_grad_ + unit_keys * key_stride_),
        scores_(kTileSize),
        products_(kTileSize),
        saved_(static_cast<int64_t>(problem.score_mods.size()) * kTileSize) {}

  // `stage` is the unit's place among all.
  void BeginUnit(const Unit& unit, int64_t stage) {
    unit_ = unit;
    stage_ = stage;
    if constexpr (!std::is_same_v<T, float>) {
      WaitFor(sums_.stages.RoundBefore(stage), unit.NumTiles());
    }
    std::fill_n(key_grad_, (unit.end_key - unit.first_key) * key_stride_, 0.0f);
    std::fill_n(value_grad_, (unit.end_key - unit.first_key) * value_stride_,
                0.0f);
  }

  void BeginTile(const Tile& /*tile*/) { met_any_key_ = false; }

  void MeetTile(const Tile& tile) {
    WaitForMods(tile);
    tile_.Load(views_, tile);
    met_any_key_ = true;
  }

  bool Wants(const KeyBlock& /*block*/) const { return true; }

  void Pack(const KeyBlock& block) {
    // Zeros for what is not finite: see GradientTile::Load.
    const auto key = HeadRows(views_.inputs.key, unit_.batch, unit_.kv_head,
                              block.first_key, block.num_keys);
    PackColumns(key, KeyColumns(block), block.num_keys);
    ClearNonfinite(KeyColumns(block), block.num_keys * key_stride_);
    const auto value = HeadRows(views_.inputs.value, unit_.batch, unit_.kv_head,
                                block.first_key, block.num_keys);
    PackColumns(value.Transposed(), ValueAcross(block), problem_.value_dim);
  }

  float* Scores(const KeyBlock& /*block*/) const { return scores_.get(); }
  float* SavedScores() const { return saved_.get(); }

  void Consume(const Tile& tile, const KeyBlock& block,
               const ScoreTile& scores) {
    const int64_t offset = scores.coord.first_key - block.first_key;
    const ScoreTile gradient{products_.get(), kScoreStride, scores.coord};
    Product<PackedRows, Result::kScaled>(
        tile_.out_grad_rows(), tile.num_queries,
        ValueAcross(block) + offset * problem_.value_dim, problem_.value_dim, 0,
        scores.coord.num_keys, problem_.value_dim, &kOne, gradient.data,
        kScoreStride);
    for (int64_t i = 0; i < tile.num_queries; ++i)
      MakeGradients(scores, gradient, i);
    UndoScoreMods(problem_, gradient, saved_.get());
    AddToValue(tile, scores);
    AddToKey(tile, gradient);
    AddToQuery(tile, gradient, KeyColumns(block), block.num_keys, offset);
  }

  void EndTile(const Tile& tile) {
    WaitFor(sums_.stages.StretchBefore(stage_), tile.index + 1);
    if (views_.gradients.query.data != nullptr) WriteQuery(tile);
    order_.Publish(stage_, tile.index + 1);
  }

  // Writes the unit's rows of dK and dV.
  void Finish() const {
    const int64_t rows = unit_.end_key - unit_.first_key;
    ScaleInPlace(key_grad_, rows * key_stride_, problem_.scale);
    const auto write = [&](const float* grad, int64_t stride,
                           const TensorView<T, 4>& to) {
      if (to.data == nullptr) return;
      Unpack<false>(
          grad, stride,
          HeadRows(to, unit_.batch, unit_.kv_head, unit_.first_key, rows));
    };
    write(key_grad_, key_stride_, views_.gradients.key);
    write(value_grad_, value_stride_, views_.gradients.value);
  }

 private:
  // Steps after which a unit is done with the queries of the tile, whatever the
  // head.
  int64_t StepsForQueries(const Tile& tile) const {
    const int64_t per_head = TilesPerHead(problem_);
    return (problem_.GroupSize() - 1) * per_head + tile.index % per_head + 1;
  }

  void WaitFor(int64_t stage, int64_t tiles) const {
    if (stage >= 0) order_.WaitFor(stage, tiles);
  }

  // Lets those units go first whose sums this one adds to.
  void WaitForMods(const Tile& tile) const {
    switch (sums_.order) {
      case BackwardOrder::kAny:
        return;
      case BackwardOrder::kByQuery:
        return WaitFor(stage_ - 1, StepsForQueries(tile));
      case BackwardOrder::kByKey:
        return WaitFor(sums_.stages.GroupBefore(stage_), unit_.NumTiles());
      case BackwardOrder::kTotal:
        return WaitFor(stage_ - 1, unit_.NumTiles());
    }
  }

  void MakeGradients(const ScoreTile& scores, const ScoreTile& products,
                     int64_t row) const {
    if (problem_.dropout.probability == 0.0f)
      return MakeGradients(scores, products, row, KeepAll());
    const RowDropout dropout(problem_, scores.coord, row);
    MakeGradients(scores, products, row,
                  KeepSome{dropout, problem_.KeepScale()});
  }

  template <typename Keep>
  void MakeGradients(const ScoreTile& scores, const ScoreTile& products,
                     int64_t row, const Keep& keep) const {
    const float reference = tile_.reference(row);
    if (sums_.relevance.wanted()) {
      sums_.relevance.AddRow(scores, products, row, reference,
                             sums_.stages.Stretch(stage_), keep);
    }
    ScoresToGradients(scores, products, row, reference, tile_.delta(row), keep);
  }

  float* KeyColumns(const KeyBlock& block) const {
    return key_columns_ + block.slot * kBlockKeys * key_stride_;
  }
  float* ValueAcross(const KeyBlock& block) const {
    return value_across_ + block.slot * kBlockKeys * problem_.value_dim;
  }

  // dV += P^T dO
  void AddToValue(const Tile& tile, const ScoreTile& weights) {
    if (views_.gradients.value.data == nullptr) return;
    float* value_grad =
        value_grad_ +
        (weights.coord.first_key - unit_.first_key) * value_stride_;
    if (!tile_.out_grad_is_finite()) {
      GuardedProduct(weights, tile_.out_grad_columns(), problem_.value_dim,
                     value_grad, value_stride_);
      return;
    }
    Product<TileColumnsOperand, Result::kAdded>(
        weights.data, weights.coord.num_keys, tile_.out_grad_columns(),
        tile.num_queries, 0, problem_.value_dim, tile.num_queries, nullptr,
        value_grad, value_stride_);
  }

  // dK += dS^T Q, the scale to follow.
  void AddToKey(const Tile& tile, const ScoreTile& gradient) {
    if (views_.gradients.key.data == nullptr) return;
    float* key_grad =
        key_grad_ + (gradient.coord.first_key - unit_.first_key) * key_stride_;
    Product<TileColumnsOperand, Result::kAdded>(
        gradient.data, gradient.coord.num_keys, tile_.query_columns(),
        tile.num_queries, 0, problem_.head_dim, tile.num_queries, nullptr,
        key_grad, key_stride_);
  }

  // dQ += dS K, the scale to follow; the tile's keys are rows [offset, ...) of
  // the num_keys rows of key_columns.
  void AddToQuery(const Tile& tile, const ScoreTile& gradient,
                  const float* key_columns, int64_t num_keys, int64_t offset) {
    if (views_.gradients.query.data == nullptr) return;
    Product<TileRowsOperand, Result::kAdded>(
        gradient.data, tile.num_queries, key_columns, num_keys, offset,
        problem_.head_dim, gradient.coord.num_keys, nullptr, tile_.query_grad(),
        tile_.query_grad_stride());
  }

  // The unit with the first keys stores its share of dQ, the others add theirs;
  // the one with the last keys passes the sum on, where that is not its place.
  void WriteQuery(const Tile& tile) {
    const Matrix<float> to = QuerySumOf(tile);
    if (!met_any_key_) tile_.ClearQueryGrad();
    ScaleInPlace(tile_.query_grad(),
                 tile.num_queries * tile_.query_grad_stride(), problem_.scale);
    if (unit_.first_key == 0) {
      Unpack<false>(tile_.query_grad(), tile_.query_grad_stride(), to);
    } else if (met_any_key_) {
      Unpack<true>(tile_.query_grad(), tile_.query_grad_stride(), to);
    }
    if constexpr (!std::is_same_v<T, float>) {
      if (unit_.end_key < problem_.kv_len) return;
      Unpack<false>(to.data, to.row_stride,
                    HeadRows(views_.gradients.query, tile.batch, tile.head,
                             tile.first_query, tile.num_queries));
    }
  }

  Matrix<float> QuerySumOf(const Tile& tile) const {
    int64_t batch = tile.batch, head = tile.head;
    if constexpr (!std::is_same_v<T, float>) {
      batch = sums_.stages.Group(stage_) % sums_.stages.groups_per_round();
      head = tile.head % problem_.GroupSize();
    }
    return HeadRows(sums_.query, batch, head, tile.first_query,
                    tile.num_queries);
  }

  const Problem& problem_;
  const BackwardViews<T>& views_;
  const BackwardSums& sums_;
  StageOrder& order_;
  Unit unit_;
  int64_t stage_ = 0;
  GradientTile<T> tile_;
  bool met_any_key_ = false;
  int64_t key_stride_;
  int64_t value_stride_;
  // One piece, so that the allocator keeps it from call to call: freed in four
  // pieces it went back to the system, to be mapped anew page by page.
  AlignedArray<float> memory_;
  float* key_columns_;
  float* value_across_;
  float* key_grad_;
  float* value_grad_;
  AlignedArray<float> scores_;
  AlignedArray<float> products_;
  AlignedArray<float> saved_;
};

template <typename T>
class BackwardWorker {
 public:
  BackwardWorker(const Problem& problem, const BackwardViews<T>& views,
                 const BackwardSums& sums, StageOrder& order)
      : problem_(problem),
        views_(views),
        memory_(problem, BackwardKeys(problem)),
        consumer_(problem, views, sums, BackwardKeys(problem), order) {}

  void Run(const Unit& unit, int64_t stage) {
    consumer_.BeginUnit(unit, stage);
    TileLoop<T, GradientConsumer<T>>(problem_, views_.inputs, unit, memory_,
                                     consumer_)
        .Run();
    consumer_.Finish();
  }

 private:
  const Problem& problem_;
  const BackwardViews<T>& views_;
  TileLoopMemory memory_;
  GradientConsumer<T> consumer_;
};

// Groups that are worked on side by side. Where a mod's sums belong to keys,
// only units of different stretches can be. Elements that cannot hold sums need
// memory for those of a round; which depends on shapes alone.
template <typename T>
int64_t GroupsPerRound(const Problem& problem, BackwardOrder order) {
  constexpr int64_t kRoundBytes = int64_t{1} << 25;
  if (order == BackwardOrder::kByKey) return 1;
  const int64_t groups = problem.batch * problem.num_kv_heads;
  if (std::is_same_v<T, float> || !problem.HasQueries()) return groups;
  const int64_t bytes = problem.GroupSize() * problem.query_len *
                        problem.head_dim * static_cast<int64_t>(sizeof(float));
  return kRoundBytes / bytes;
}

// Where units add up dQ: the caller's view, or, where that cannot hold sums,
// `own`.
inline TensorView<float, 4> QuerySum(const Problem& /*problem*/,
                                     const BackwardStages& /*stages*/,
                                     const TensorView<float, 4>& gradient,
                                     AlignedArray<float>& /*own*/) {
  return gradient;
}
template <typename T>
TensorView<float, 4> QuerySum(const Problem& problem,
                              const BackwardStages& stages,
                              const TensorView<T, 4>& gradient,
                              AlignedArray<float>& own) {
  if (gradient.data == nullptr || !problem.HasQueries()) return {};
  const int64_t groups = stages.groups_per_round();
  const int64_t heads = problem.GroupSize();
  own = AlignedArray<float>(groups * heads * problem.query_len *
                            problem.head_dim);
  return Contiguous(own.get(),
                    {groups, heads, problem.query_len, problem.head_dim});
}

template <typename T>
void Backward(const Problem& problem, const BackwardViews<T>& views) {
  const BackwardOrder mods_order = StrictestOrder(problem);
  const BackwardStages stages(problem, GroupsPerRound<T>(problem, mods_order));
  AlignedArray<float> own_sum;
  const auto& gradients = views.gradients;
  const BackwardSums sums = {
      stages, QuerySum(problem, stages, gradients.query, own_sum),
      RelevanceSums(problem, gradients.query_group, gradients.key_group,
                    gradients.relevance, stages.stretches()),
      mods_order};
  StageOrder order(stages.count());
  const int threads = ThreadsFor(problem);
  std::vector<std::unique_ptr<BackwardWorker<T>>> workers(
      static_cast<std::size_t>(WorkersFor(stages.count(), threads)));
  ParallelFor(stages.count(), threads, [&](int64_t stage, int worker) {
    const AbandonOnExit guard(order, stage);
    auto& own = workers[static_cast<std::size_t>(worker)];
    if (!own) {
      own = std::make_unique<BackwardWorker<T>>(problem, views, sums, order);
    }
    own->Run(stages.UnitOf(stage), stage);
  });
  sums.relevance.Write();
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_BACKWARD_INL_H_
