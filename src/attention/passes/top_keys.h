#ifndef KEYLENS_SRC_ATTENTION_PASSES_TOP_KEYS_H_
#define KEYLENS_SRC_ATTENTION_PASSES_TOP_KEYS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace keylens::internal {

// The k highest scores of each of some rows and their keys, ties to the lower
// key. Scores of -inf (masked) and NaN are never taken.
//
// A row gathers candidates without order and is cut down to the best k when its
// room is used up. Most rows see little more than k of them: whoever offers
// them knows a bound, from the highest score of each part of the row.
class TopKeys {
 public:
  static constexpr int64_t kParts = 16;

  struct Entry {
    float score;
    int64_t key;
  };

  TopKeys(int64_t rows, int64_t k)
      : k_(k),
        capacity_(2 * k + kBurst),
        rows_(static_cast<std::size_t>(rows)),
        entries_(static_cast<std::size_t>(rows * capacity_)) {}

  int64_t k() const { return k_; }

  void Clear() { std::fill(rows_.begin(), rows_.end(), Row{}); }

  // The lowest score that can still be among the best of the row, as far as the
  // candidates tell.
  float Least(int64_t row) const { return At(row).least; }

  // The highest score so far of each part of the row: key j belongs to part
  // j % kParts. Kept here for whoever finds the bound.
  float* PartMaxima(int64_t row) { return At(row).part_maxima; }

  void RaiseLeast(int64_t row, float least) {
    At(row).least = std::max(At(row).least, least);
  }

  // Takes a candidate of at least Least(row). Keys must ascend.
  void Take(int64_t row, float score, int64_t key) {
    if (At(row).count == capacity_) Cut(row);
    if (score >= At(row).least) Begin(row)[At(row).count++] = {score, key};
  }

  // What is left of the candidates, keys ascending; the best k are among them.
  // They may be put into another order, but no more may be taken then.
  std::span<Entry> Candidates(int64_t row) {
    DropBelowLeast(row);
    return {Begin(row), static_cast<std::size_t>(At(row).count)};
  }

  // The order of the best: by score, ties to the lower key.
  static bool IsBefore(const Entry& a, const Entry& b) {
    return a.score > b.score || (a.score == b.score && a.key < b.key);
  }

 private:
  // Candidates that a row has room for beyond 2 k, so that cuts are rare.
  static constexpr int64_t kBurst = 16;

  struct Row {
    Row() {
      std::fill_n(part_maxima, kParts, -std::numeric_limits<float>::infinity());
    }

    alignas(64) float part_maxima[kParts];
    int64_t count = 0;
    float least = std::numeric_limits<float>::lowest();
  };

  Row& At(int64_t row) { return rows_[static_cast<std::size_t>(row)]; }
  const Row& At(int64_t row) const {
    return rows_[static_cast<std::size_t>(row)];
  }
  Entry* Begin(int64_t row) { return entries_.data() + row * capacity_; }

  // Drops candidates that a later bound rules out.
  void DropBelowLeast(int64_t row) {
    const float least = At(row).least;
    Entry* entries = Begin(row);
    int64_t kept = 0;
    for (int64_t i = 0; i < At(row).count; ++i) {
      entries[kept] = entries[i];
      kept += entries[i].score >= least ? 1 : 0;
    }
    At(row).count = kept;
  }

  // Makes room: keeps the best k at most.
  void Cut(int64_t row) {
    DropBelowLeast(row);
    if (At(row).count <= k_) return;
    Entry* last = Begin(row) + k_ - 1;
    std::nth_element(
        Begin(row), last, Begin(row) + At(row).count,
        [](const Entry& a, const Entry& b) { return IsBefore(a, b); });
    At(row).least = last->score;
    At(row).count = k_;
    std::sort(Begin(row), Begin(row) + k_,
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
  }

  int64_t k_;
  int64_t capacity_;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
};

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_TOP_KEYS_H_
