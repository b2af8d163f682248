// Statistics of the weights from a logsumexp that is known already.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_INSPECT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_INSPECT_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_INSPECT_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_INSPECT_INL_H_
#endif

#include <memory>

#include "src/attention/passes/inspection-inl.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/plan/plan.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// Makes final weights, exp(score - logsumexp), of each tile and hands them to
// the statistics.
class WeightConsumer {
 public:
  WeightConsumer(const Problem& problem, TensorView<const float, 3> logsumexp,
                 int64_t max_tiles, WeightStatistics& statistics)
      : problem_(problem),
        logsumexp_(logsumexp),
        statistics_(statistics),
        scores_(kTileSize),
        max_(max_tiles * kTileRows),
        sums_(max_tiles * kTileRows * kLanes),
        moments_(max_tiles * kTileRows * kLanes),
        rows_{max_.get(), sums_.get(), moments_.get()} {}

  void BeginUnit(const Unit& unit, int64_t slice) {
    ClearRows(rows_, unit.NumTiles() * kTileRows);
    statistics_.BeginUnit(slice);
    next_key_.assign(static_cast<std::size_t>(unit.NumTiles()), 0);
  }

  void BeginTile(const Tile& tile) {
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const float logsumexp = LogSumExp(tile, i);
      references_[i] = logsumexp == kMinusInfinity ? 0.0f : logsumexp;
      factors_[i] = std::isnan(logsumexp) ? logsumexp : 1.0f;
    }
  }

  void MeetTile(const Tile& /*tile*/) {}
  bool Wants(const KeyBlock& /*block*/) const { return true; }
  void Pack(const KeyBlock& /*block*/) {}
  float* Scores(const KeyBlock& /*block*/) { return scores_.get(); }
  float* SavedScores() const { return nullptr; }

  void Consume(const Tile& tile, const KeyBlock& /*block*/,
               const ScoreTile& scores) {
    statistics_.OfferScores(tile, scores);
    const SoftmaxRows rows = rows_.From(tile.FirstRow());
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const SoftmaxRows row = rows.From(i);
      ExponentiateRow<true>(scores.Row(i), scores.coord.num_keys,
                            references_[i], row.sums, row.moments);
    }
    statistics_.AddMasked(tile, NextKey(tile), scores.coord.first_key,
                          factors_);
    statistics_.AddWeights(scores, factors_);
    NextKey(tile) = scores.coord.first_key + scores.coord.num_keys;
  }

  void EndTile(const Tile& /*tile*/) {}

  // When the tile has met all keys.
  void Finish(const Tile& tile) {
    BeginTile(tile);
    statistics_.AddMasked(tile, NextKey(tile), problem_.kv_len, factors_);
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      statistics_.WriteEntropy(
          tile, i,
          factors_[i] *
              (0.0f - SumOfLanes(rows_.From(tile.FirstRow() + i).moments)));
      statistics_.WriteTop(tile, i, std::isnan(factors_[i]),
                           [&](float score, int64_t /*key*/) {
                             return ExpOf(score - references_[i]);
                           });
    }
  }

 private:
  float LogSumExp(const Tile& tile, int64_t row) const {
    return *ElementOf(logsumexp_, tile.batch, tile.head,
                      tile.first_query + row);
  }

  int64_t& NextKey(const Tile& tile) {
    return next_key_[static_cast<std::size_t>(tile.index)];
  }

  const Problem& problem_;
  TensorView<const float, 3> logsumexp_;
  WeightStatistics& statistics_;
  AlignedArray<float> scores_;
  AlignedArray<float> max_;
  AlignedArray<float> sums_;
  AlignedArray<float> moments_;
  SoftmaxRows rows_;
  std::vector<int64_t>
      next_key_;  // by tile: the end of what its statistics have
  alignas(64) float references_[kTileRows];
  alignas(64) float factors_[kTileRows];
};

template <typename T>
class InspectWorker {
 public:
  InspectWorker(const Problem& problem, const AttentionInputs<T>& inputs,
                TensorView<const float, 3> logsumexp,
                const Inspection& inspection, const Slices& slices)
      : problem_(problem),
        inputs_(inputs),
        memory_(problem, SpanKeys(problem)),
        statistics_(problem, inspection, slices, TopScope::kUnit),
        consumer_(problem, logsumexp, slices.max_tiles(), statistics_) {}

  void Run(const Unit& unit, int64_t slice) {
    consumer_.BeginUnit(unit, slice);
    TileLoop<T, WeightConsumer>(problem_, inputs_, unit, memory_, consumer_)
        .Run();
    for (int64_t index = 0; index < unit.NumTiles(); ++index)
      consumer_.Finish(TileOf(problem_, unit, index));
  }

 private:
  const Problem& problem_;
  const AttentionInputs<T>& inputs_;
  TileLoopMemory memory_;
  WeightStatistics statistics_;
  WeightConsumer consumer_;
};

template <typename T>
void Inspect(const Problem& problem, const AttentionInputs<T>& inputs,
             TensorView<const float, 3> logsumexp,
             const Inspection& inspection) {
  const Slices slices(problem, inspection);
  const int threads = ThreadsFor(problem);
  std::vector<std::unique_ptr<InspectWorker<T>>> workers(
      static_cast<std::size_t>(WorkersFor(slices.count(), threads)));
  ParallelFor(slices.count(), threads, [&](int64_t slice, int worker) {
    auto& own = workers[static_cast<std::size_t>(worker)];
    if (!own)
      own = std::make_unique<InspectWorker<T>>(problem, inputs, logsumexp,
                                               inspection, slices);
    own->Run(slices.UnitOf(slice), slice);
  });
  slices.Reduce();
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_INSPECT_INL_H_
