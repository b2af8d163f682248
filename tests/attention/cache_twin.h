#ifndef KEYLENS_TESTS_ATTENTION_CACHE_TWIN_H_
#define KEYLENS_TESTS_ATTENTION_CACHE_TWIN_H_

#include <keylens/key_value_cache.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace keylens {

// A cache, and beside it what it should hold: for each sequence and token the
// keys and the values of all heads, as the cache stores them.
class CacheTwin {
 public:
  explicit CacheTwin(const KeyValueCacheOptions& options) : cache(options) {}

  int64_t Add();
  int64_t Fork(int64_t sequence);
  void Remove(int64_t sequence);

  // n tokens from a normal distribution, in any layout.
  void Append(int64_t sequence, int64_t n, std::mt19937_64& random);

  std::vector<int64_t> Sequences() const;
  int64_t Length(int64_t sequence) const;

  // [num_kv_heads, Length(sequence), head_dim or value_dim]
  std::vector<float> Keys(int64_t sequence) const;
  std::vector<float> Values(int64_t sequence) const;

  KeyValueCache cache;

 private:
  using Rows = std::vector<std::vector<float>>;  // by token, and head
  struct Tokens {
    Rows keys, values;
  };

  std::vector<float> Dense(const Rows& rows) const;

  std::map<int64_t, Tokens> tokens_;
};

// Decodes query_len queries, from a normal distribution, for each of the
// sequences, and expects the outputs to match the oracle. The masks and score
// mods of the options may not depend on the batch entry, and there may be no
// dropout.
void ExpectDecodingMatchesOracle(const CacheTwin& twin,
                                 const std::vector<int64_t>& sequences,
                                 int64_t num_heads, int64_t query_len,
                                 const AttentionOptions& options,
                                 std::mt19937_64& random);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_CACHE_TWIN_H_
