#include "src/attention/passes/decode.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/attention/passes/merge.h"
#include "src/attention/plan/aligned_array.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/plan/plan.h"

namespace keylens::internal {
namespace {

// Some rows of a group of heads, and the units that their keys are cut into.
struct RowTile {
  DecodeUnit all_keys;
  int64_t first_unit = 0;
  int64_t num_units = 0;
};

// The units of a call. Where rows are many, they alone are shared out, and
// partial results take no memory to speak of.
class DecodePlan {
 public:
  DecodePlan(const Problem& problem, std::span<const int64_t> kv_lens)
      : problem_(problem) {
    const int64_t rows = problem.GroupSize() * problem.query_len;
    const bool keys_are_cut = rows <= kTileRows;
    for (int64_t b = 0; b < problem.batch; ++b) {
      const int64_t kv_len = kv_lens[static_cast<std::size_t>(b)];
      for (int64_t head = 0; head < problem.num_kv_heads; ++head) {
        for (int64_t row = 0; row < rows; row += kTileRows) {
          Add({b, head, row, std::min(kTileRows, rows - row), 0, kv_len,
               kv_len},
              keys_are_cut);
        }
      }
    }
  }

  const std::vector<RowTile>& tiles() const { return tiles_; }
  const std::vector<DecodeUnit>& units() const { return units_; }

  // Where the partial results of a unit start, in rows.
  int64_t FirstRow(std::size_t unit) const { return first_row_[unit]; }
  int64_t num_rows() const { return num_rows_; }

 private:
  void Add(const DecodeUnit& all_keys, bool keys_are_cut) {
    const int64_t chunk =
        keys_are_cut ? kDecodeChunk : std::max<int64_t>(1, all_keys.kv_len);
    const int64_t count = std::max<int64_t>(1, CeilDiv(all_keys.kv_len, chunk));
    tiles_.push_back({all_keys, static_cast<int64_t>(units_.size()), count});
    for (int64_t i = 0; i < count; ++i) {
      DecodeUnit unit = all_keys;
      unit.first_key = i * chunk;
      unit.end_key = std::min(unit.first_key + chunk, all_keys.kv_len);
      units_.push_back(unit);
      first_row_.push_back(num_rows_);
      num_rows_ += unit.num_rows;
    }
  }

  const Problem& problem_;
  std::vector<RowTile> tiles_;
  std::vector<DecodeUnit> units_;
  std::vector<int64_t> first_row_;
  int64_t num_rows_ = 0;
};

// The head and query of a row of a unit.
struct RowPlace {
  int64_t head;
  int64_t query;
};
RowPlace PlaceOf(const Problem& problem, const DecodeUnit& unit, int64_t row) {
  const int64_t in_group = unit.first_row + row;
  return {unit.kv_head * problem.GroupSize() + in_group / problem.query_len,
          in_group % problem.query_len};
}

template <typename T>
AlignedArray<float> PackQueries(const Problem& problem, const DecodeUnit& unit,
                                const TensorView<const T, 4>& query) {
  const int64_t stride = DecodeStride(problem.head_dim);
  AlignedArray<float> packed(unit.num_rows * stride);
  std::fill_n(packed.get(), unit.num_rows * stride, 0.0f);
  for (int64_t i = 0; i < unit.num_rows; ++i) {
    const RowPlace place = PlaceOf(problem, unit, i);
    const auto row = HeadRows(query, unit.batch, place.head, place.query, 1);
    for (int64_t c = 0; c < row.cols; ++c) {
      packed[i * stride + c] = static_cast<float>(row.data[c * row.col_stride]);
    }
  }
  return packed;
}

// A whole call.
template <typename T, typename E>
class Decoder {
 public:
  Decoder(const Problem& problem, const TensorView<const T, 4>& query,
          const KeyValueSource<E>& source, std::span<const int64_t> kv_lens,
          const AttentionOutputs<T>& outputs)
      : problem_(problem),
        query_(query),
        source_(source),
        outputs_(outputs),
        plan_(problem, kv_lens),
        out_stride_(DecodeStride(problem.value_dim)),
        max_(plan_.num_rows()),
        sum_(plan_.num_rows()),
        out_(plan_.num_rows() * out_stride_) {}

  void Run() const {
    const int num_threads = ThreadsFor(problem_);
    ParallelFor(static_cast<int64_t>(plan_.units().size()), num_threads,
                [&](int64_t i, int) { RunUnit(static_cast<std::size_t>(i)); });
    ParallelFor(static_cast<int64_t>(plan_.tiles().size()), num_threads,
                [&](int64_t i, int) {
                  Finish(plan_.tiles()[static_cast<std::size_t>(i)]);
                });
  }

 private:
  DecodePartial PartialOf(std::size_t unit, int64_t row) const {
    const int64_t place = plan_.FirstRow(unit) + row;
    return {max_.get() + place, sum_.get() + place,
            out_.get() + place * out_stride_};
  }

  void RunUnit(std::size_t index) const {
    const DecodeUnit& unit = plan_.units()[index];
    const AlignedArray<float> query = PackQueries(problem_, unit, query_);
    RunDecode(problem_, unit, query.get(), source_, PartialOf(index, 0));
  }

  void Finish(const RowTile& tile) const {
    const int64_t num_rows = tile.all_keys.num_rows;
    AlignedArray<float> out(num_rows * out_stride_);
    AlignedArray<float> logsumexp(num_rows);
    // The last part is the sink, which has no value.
    const std::vector<float> zeros(static_cast<std::size_t>(out_stride_));
    std::vector<PartialRow> parts(static_cast<std::size_t>(tile.num_units) + 1);
    bool finite = true;
    for (int64_t row = 0; row < num_rows; ++row) {
      for (int64_t i = 0; i < tile.num_units; ++i) {
        const DecodePartial part =
            PartialOf(static_cast<std::size_t>(tile.first_unit + i), row);
        parts[static_cast<std::size_t>(i)] = {*part.max, *part.sum, part.out};
      }
      const int64_t head = PlaceOf(problem_, tile.all_keys, row).head;
      parts.back() = {problem_.SinkOf(head), 1.0f, zeros.data()};
      float* to = out.get() + row * out_stride_;
      logsumexp[row] = MergeRow(parts, problem_.value_dim, to);
      finite = finite && std::all_of(to, to + problem_.value_dim,
                                     [](float x) { return std::isfinite(x); });
    }
    if (!finite) {
      const AlignedArray<float> query =
          PackQueries(problem_, tile.all_keys, query_);
      RunDecodeFinal(problem_, tile.all_keys, query.get(), source_,
                     logsumexp.get(), out.get());
    }
    Write(tile.all_keys, out.get(), logsumexp.get());
  }

  void Write(const DecodeUnit& unit, const float* out,
             const float* logsumexp) const {
    for (int64_t row = 0; row < unit.num_rows; ++row) {
      const RowPlace place = PlaceOf(problem_, unit, row);
      const auto to =
          HeadRows(outputs_.out, unit.batch, place.head, place.query, 1);
      for (int64_t c = 0; c < to.cols; ++c) {
        to.data[c * to.col_stride] = static_cast<T>(out[row * out_stride_ + c]);
      }
      if (outputs_.logsumexp.data != nullptr) {
        *ElementOf(outputs_.logsumexp, unit.batch, place.head, place.query) =
            logsumexp[row];
      }
    }
  }

  const Problem& problem_;
  const TensorView<const T, 4>& query_;
  const KeyValueSource<E>& source_;
  const AttentionOutputs<T>& outputs_;
  DecodePlan plan_;
  int64_t out_stride_;
  AlignedArray<float> max_;
  AlignedArray<float> sum_;
  AlignedArray<float> out_;
};

}  // namespace

template <typename T, typename E>
void Decode(const Problem& problem, const TensorView<const T, 4>& query,
            const KeyValueSource<E>& source, std::span<const int64_t> kv_lens,
            const AttentionOutputs<T>& outputs) {
  if (!problem.HasQueries()) return;
  Decoder<T, E>(problem, query, source, kv_lens, outputs).Run();
}

template <typename T>
void DecodeInputs(const Problem& problem, const AttentionInputs<T>& inputs,
                  const AttentionOutputs<T>& outputs) {
  KeyValueSource<T> source;
  source.rows = [&](int64_t batch, int64_t kv_head, int64_t first_key) {
    const auto keys = HeadRows(inputs.key, batch, kv_head, first_key, 1);
    const auto values = HeadRows(inputs.value, batch, kv_head, first_key, 1);
    KeyValueRows<T> rows;
    rows.keys = keys.data;
    rows.key_stride = keys.row_stride;
    rows.key_step = keys.cols == 1 ? 1 : keys.col_stride;
    rows.values = values.data;
    rows.value_stride = values.row_stride;
    rows.value_step = values.cols == 1 ? 1 : values.col_stride;
    return rows;
  };
  const std::vector<int64_t> kv_lens(static_cast<std::size_t>(problem.batch),
                                     problem.kv_len);
  Decode(problem, inputs.query, source, kv_lens, outputs);
}

template void Decode(const Problem&, const TensorView<const float, 4>&,
                     const KeyValueSource<float>&, std::span<const int64_t>,
                     const AttentionOutputs<float>&);
template void Decode(const Problem&, const TensorView<const float, 4>&,
                     const KeyValueSource<BFloat16>&, std::span<const int64_t>,
                     const AttentionOutputs<float>&);
template void Decode(const Problem&, const TensorView<const float, 4>&,
                     const KeyValueSource<Float16>&, std::span<const int64_t>,
                     const AttentionOutputs<float>&);
template void Decode(const Problem&, const TensorView<const float, 4>&,
                     const KeyValueSource<int8_t>&, std::span<const int64_t>,
                     const AttentionOutputs<float>&);
template void DecodeInputs(const Problem&, const AttentionInputs<float>&,
                           const AttentionOutputs<float>&);
template void Decode(const Problem&, const TensorView<const BFloat16, 4>&,
                     const KeyValueSource<float>&, std::span<const int64_t>,
                     const AttentionOutputs<BFloat16>&);
template void Decode(const Problem&, const TensorView<const BFloat16, 4>&,
                     const KeyValueSource<BFloat16>&, std::span<const int64_t>,
                     const AttentionOutputs<BFloat16>&);
template void Decode(const Problem&, const TensorView<const BFloat16, 4>&,
                     const KeyValueSource<Float16>&, std::span<const int64_t>,
                     const AttentionOutputs<BFloat16>&);
template void Decode(const Problem&, const TensorView<const BFloat16, 4>&,
                     const KeyValueSource<int8_t>&, std::span<const int64_t>,
                     const AttentionOutputs<BFloat16>&);
template void DecodeInputs(const Problem&, const AttentionInputs<BFloat16>&,
                           const AttentionOutputs<BFloat16>&);
template void Decode(const Problem&, const TensorView<const Float16, 4>&,
                     const KeyValueSource<float>&, std::span<const int64_t>,
                     const AttentionOutputs<Float16>&);
template void Decode(const Problem&, const TensorView<const Float16, 4>&,
                     const KeyValueSource<BFloat16>&, std::span<const int64_t>,
                     const AttentionOutputs<Float16>&);
template void Decode(const Problem&, const TensorView<const Float16, 4>&,
                     const KeyValueSource<Float16>&, std::span<const int64_t>,
                     const AttentionOutputs<Float16>&);
template void Decode(const Problem&, const TensorView<const Float16, 4>&,
                     const KeyValueSource<int8_t>&, std::span<const int64_t>,
                     const AttentionOutputs<Float16>&);
template void DecodeInputs(const Problem&, const AttentionInputs<Float16>&,
                           const AttentionOutputs<Float16>&);

}  // namespace keylens::internal
