// Attention forward: the softmax consumer of the tile loop, and how the work is
// cut into units.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_FORWARD_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_FORWARD_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_FORWARD_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_FORWARD_INL_H_
#endif

#include <memory>

#include "src/attention/passes/kept_tile-inl.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/plan/plan.h"
#include "src/attention/tile/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// The rows of a unit between the first and the last span: softmax state, and
// the sum of exp(score - max) value.
class ForwardRows {
 public:
  ForwardRows(const Problem& problem, int64_t max_tiles, bool moments)
      : out_stride_(RoundUp(problem.value_dim, kLanes)),
        max_(max_tiles * kTileRows),
        sums_(max_tiles * kTileRows * kLanes),
        moments_(moments ? max_tiles * kTileRows * kLanes : 0),
        out_(max_tiles * kTileRows * out_stride_) {
    rows_ = {max_.get(), sums_.get(), moments ? moments_.get() : nullptr};
  }

  void Clear(int64_t num_tiles) {
    ClearRows(rows_, num_tiles * kTileRows);
    std::fill_n(out_.get(), num_tiles * kTileRows * out_stride_, 0.0f);
  }

  SoftmaxRows RowsOf(const Tile& tile) const {
    return rows_.From(tile.FirstRow());
  }
  float* OutOf(const Tile& tile) const {
    return out_.get() + tile.FirstRow() * out_stride_;
  }
  int64_t out_stride() const { return out_stride_; }

 private:
  int64_t out_stride_;
  AlignedArray<float> max_;
  AlignedArray<float> sums_;
  AlignedArray<float> moments_;
  AlignedArray<float> out_;
  SoftmaxRows rows_;
};

// Consumes scores into the rows of a unit. With `kept`, exponentials stay until
// a tile's statistics are made.
template <typename T>
class SoftmaxConsumer {
 public:
  SoftmaxConsumer(const Problem& problem, const AttentionInputs<T>& inputs,
                  int64_t span_keys, ForwardRows& rows, KeptTile* kept)
      : problem_(problem),
        inputs_(inputs),
        rows_(rows),
        kept_(kept),
        scores_(kept == nullptr ? kTileSize : 0),
        values_(PackedColumnsSize(span_keys, problem.value_dim)) {}

  void BeginUnit(const Unit& unit) {
    unit_ = unit;
    nonfinite_blocks_.assign(
        static_cast<std::size_t>(CeilDiv(problem_.kv_len, kBlockKeys)), 0);
    any_nonfinite_ = false;
    rows_.Clear(unit.NumTiles());
  }

  // Blocks whose values are not all finite. Those elements were taken as 0 so
  // far.
  bool AnyNonfinite() const { return any_nonfinite_; }
  const std::vector<char>& nonfinite_blocks() const {
    return nonfinite_blocks_;
  }

  void BeginTile(const Tile& /*tile*/) {
    if (kept_ != nullptr) kept_->Begin();
  }
  void MeetTile(const Tile& /*tile*/) {}

  bool Wants(const KeyBlock& /*block*/) const { return true; }

  void Pack(const KeyBlock& block) {
    float* values = ValuesOf(block);
    PackColumns(HeadRows(inputs_.value, unit_.batch, unit_.kv_head,
                         block.first_key, block.num_keys),
                values, block.num_keys);
    if (ClearNonfinite(values,
                       PackedColumnsSize(block.num_keys, problem_.value_dim))) {
      nonfinite_blocks_[static_cast<std::size_t>(block.first_key /
                                                 kBlockKeys)] = 1;
      any_nonfinite_ = true;
    }
  }

  float* Scores(const KeyBlock& block) {
    return kept_ == nullptr ? scores_.get() : kept_->Scores(block);
  }
  float* SavedScores() const { return nullptr; }

  void Consume(const Tile& tile, const KeyBlock& block,
               const ScoreTile& scores) {
    alignas(64) float factors[kTileRows];
    if (kept_ != nullptr) kept_->statistics().OfferScores(tile, scores);
    const SoftmaxRows rows = rows_.RowsOf(tile);
    OnlineSoftmax(scores, rows, factors);
    if (kept_ != nullptr) kept_->Keep(block, scores, rows.max);
    if (problem_.dropout.probability > 0.0f) DropWeights(problem_, scores);
    Product<TileRowsOperand, Result::kRescaled>(
        scores.data, scores.coord.num_queries, ValuesOf(block), block.num_keys,
        scores.coord.first_key - block.first_key, problem_.value_dim,
        scores.coord.num_keys, factors, rows_.OutOf(tile), rows_.out_stride());
  }

  void EndTile(const Tile& tile) {
    if (kept_ != nullptr) kept_->Finish(tile, rows_.RowsOf(tile));
  }

 private:
  float* ValuesOf(const KeyBlock& block) const {
    return values_.get() +
           block.slot * kBlockKeys * RoundUp(problem_.value_dim, kLanes);
  }

  const Problem& problem_;
  const AttentionInputs<T>& inputs_;
  ForwardRows& rows_;
  KeptTile* kept_;
  Unit unit_;
  AlignedArray<float> scores_;
  AlignedArray<float> values_;
  std::vector<char> nonfinite_blocks_;
  bool any_nonfinite_ = false;
};

// Adds the infinite and NaN elements of values, which SoftmaxConsumer left out,
// where their final weight is not 0. A product with a weight that is 0, or that
// a later and higher score makes 0, would have given NaN.
template <typename T>
class NonfiniteValueConsumer {
 public:
  NonfiniteValueConsumer(const Problem& problem,
                         const AttentionInputs<T>& inputs,
                         const std::vector<char>& blocks, ForwardRows& rows)
      : problem_(problem),
        inputs_(inputs),
        blocks_(blocks),
        rows_(rows),
        scores_(kTileSize) {}

  void BeginTile(const Tile& /*tile*/) {}
  void MeetTile(const Tile& /*tile*/) {}
  bool Wants(const KeyBlock& block) const {
    return blocks_[static_cast<std::size_t>(block.first_key / kBlockKeys)] != 0;
  }
  void Pack(const KeyBlock& /*block*/) {}
  float* Scores(const KeyBlock& /*block*/) { return scores_.get(); }
  float* SavedScores() const { return nullptr; }
  void EndTile(const Tile& /*tile*/) {}

  void Consume(const Tile& tile, const KeyBlock& /*block*/,
               const ScoreTile& scores) {
    const int64_t kv_head = tile.head / problem_.GroupSize();
    const SoftmaxRows rows = rows_.RowsOf(tile);
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const RowResult result =
          FinishRow(rows.From(i), problem_.SinkOf(tile.head));
      float* out = rows_.OutOf(tile) + i * rows_.out_stride();
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        const float exponential = ExpOf(scores.Row(i)[j] - rows.max[i]);
        if (!(exponential * result.inverse_sum > 0.0f)) continue;
        if (IsDropped(scores.coord, i, j)) continue;
        AddNonfinite(HeadRows(inputs_.value, tile.batch, kv_head,
                              scores.coord.first_key + j, 1),
                     exponential, out);
      }
    }
  }

 private:
  bool IsDropped(const TileCoord& coord, int64_t row, int64_t column) const {
    return problem_.dropout.probability > 0.0f &&
           !DropoutKeeps(problem_.dropout, coord.batch, coord.head,
                         coord.first_query + row, coord.first_key + column);
  }

  static void AddNonfinite(const Matrix<const T>& value, float exponential,
                           float* out) {
    for (int64_t c = 0; c < value.cols; ++c) {
      const float element =
          static_cast<float>(value.data[c * value.col_stride]);
      if (!std::isfinite(element)) out[c] += exponential * element;
    }
  }

  const Problem& problem_;
  const AttentionInputs<T>& inputs_;
  const std::vector<char>& blocks_;
  ForwardRows& rows_;
  AlignedArray<float> scores_;
};

// What one thread needs to do units of a forward pass, one after the other.
template <typename T>
class ForwardWorker {
 public:
  ForwardWorker(const Problem& problem, const AttentionInputs<T>& inputs,
                const AttentionOutputs<T>& outputs, int64_t max_tiles,
                int64_t span_keys, const Inspection* inspection,
                const Slices* slices)
      : problem_(problem),
        inputs_(inputs),
        outputs_(outputs),
        memory_(problem, span_keys),
        rows_(problem, max_tiles,
              inspection != nullptr && inspection->entropy.data != nullptr) {
    if (inspection != nullptr) {
      statistics_ = std::make_unique<WeightStatistics>(
          problem, *inspection, *slices, TopScope::kTile);
      kept_ = std::make_unique<KeptTile>(problem, *statistics_);
    }
    consumer_ = std::make_unique<SoftmaxConsumer<T>>(problem, inputs, span_keys,
                                                     rows_, kept_.get());
  }

  // `slice` numbers the unit among the Slices, when there are any.
  void Run(const Unit& unit, int64_t slice) {
    consumer_->BeginUnit(unit);
    if (statistics_ != nullptr) statistics_->BeginUnit(slice);
    TileLoop<T, SoftmaxConsumer<T>>(problem_, inputs_, unit, memory_,
                                    *consumer_)
        .Run();
    if (consumer_->AnyNonfinite()) {
      NonfiniteValueConsumer<T> again(problem_, inputs_,
                                      consumer_->nonfinite_blocks(), rows_);
      TileLoop<T, NonfiniteValueConsumer<T>>(problem_, inputs_, unit, memory_,
                                             again)
          .Run();
    }
    for (int64_t index = 0; index < unit.NumTiles(); ++index)
      Write(TileOf(problem_, unit, index));
  }

 private:
  void Write(const Tile& tile) {
    const SoftmaxRows rows = rows_.RowsOf(tile);
    float* out = rows_.OutOf(tile);
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const RowResult result =
          FinishRow(rows.From(i), problem_.SinkOf(tile.head));
      ScaleInPlace(out + i * rows_.out_stride(), rows_.out_stride(),
                   result.inverse_sum * problem_.KeepScale());
      if (outputs_.logsumexp.data != nullptr) {
        *ElementOf(outputs_.logsumexp, tile.batch, tile.head,
                   tile.first_query + i) = result.logsumexp;
      }
    }
    Unpack<false>(out, rows_.out_stride(),
                  HeadRows(outputs_.out, tile.batch, tile.head,
                           tile.first_query, tile.num_queries));
  }

  const Problem& problem_;
  const AttentionInputs<T>& inputs_;
  const AttentionOutputs<T>& outputs_;
  TileLoopMemory memory_;
  ForwardRows rows_;
  std::unique_ptr<WeightStatistics> statistics_;
  std::unique_ptr<KeptTile> kept_;
  std::unique_ptr<SoftmaxConsumer<T>> consumer_;
};

// The outputs alone.
template <typename T>
void ForwardPlain(const Problem& problem, const AttentionInputs<T>& inputs,
                  const AttentionOutputs<T>& outputs) {
  const UnitPlan plan = PlanForward(problem);
  std::vector<std::unique_ptr<ForwardWorker<T>>> workers(
      static_cast<std::size_t>(WorkersFor(plan.count(), plan.num_threads())));
  ParallelFor(plan.count(), plan.num_threads(), [&](int64_t index, int worker) {
    auto& own = workers[static_cast<std::size_t>(worker)];
    if (!own) {
      own = std::make_unique<ForwardWorker<T>>(
          problem, inputs, outputs, plan.max_tiles(), SpanKeys(problem),
          nullptr, nullptr);
    }
    own->Run(plan.UnitOf(index), 0);
  });
}

// Outputs and statistics in one pass, for rows short enough to be kept.
template <typename T>
void ForwardKept(const Problem& problem, const AttentionInputs<T>& inputs,
                 const AttentionOutputs<T>& outputs,
                 const Inspection& inspection) {
  const Slices slices(problem, inspection);
  const int64_t span_keys =
      std::max(kBlockKeys, RoundUp(problem.kv_len, kBlockKeys));
  const int threads = ThreadsFor(problem);
  std::vector<std::unique_ptr<ForwardWorker<T>>> workers(
      static_cast<std::size_t>(WorkersFor(slices.count(), threads)));
  ParallelFor(slices.count(), threads, [&](int64_t slice, int worker) {
    auto& own = workers[static_cast<std::size_t>(worker)];
    if (!own) {
      own = std::make_unique<ForwardWorker<T>>(problem, inputs, outputs,
                                               slices.max_tiles(), span_keys,
                                               &inspection, &slices);
    }
    own->Run(slices.UnitOf(slice), slice);
  });
  slices.Reduce();
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_FORWARD_INL_H_
