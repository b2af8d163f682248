#ifndef KEYLENS_SRC_ATTENTION_TOP_KEYS_H_
#define KEYLENS_SRC_ATTENTION_TOP_KEYS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace keylens::internal {

// The k highest scores of one row and their keys, descending, ties to the lower
// key. Keys must be offered in ascending order. Scores of -inf (masked) and NaN
// are never taken.
class TopKeys {
 public:
  struct Entry {
    float score;
    int64_t key;
  };

  explicit TopKeys(int64_t k) : k_(k) {
    entries_.reserve(static_cast<std::size_t>(k) + 1);
  }

  void Clear() { entries_.clear(); }
  int64_t k() const { return k_; }
  bool IsFull() const { return static_cast<int64_t>(entries_.size()) == k_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // Only a score above this can change the result.
  float Threshold() const {
    return IsFull() ? entries_.back().score
                    : -std::numeric_limits<float>::infinity();
  }

  void Offer(float score, int64_t key) {
    if (!(score > Threshold())) return;
    if (IsFull()) entries_.pop_back();
    auto place = entries_.end();
    while (place != entries_.begin() && std::prev(place)->score < score)
      --place;
    entries_.insert(place, {score, key});
  }

 private:
  int64_t k_;
  std::vector<Entry> entries_;
};

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_TOP_KEYS_H_
