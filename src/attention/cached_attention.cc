#include <keylens/key_value_cache.h>

#include <algorithm>
#include <vector>

#include "src/attention/cache_state.h"
#include "src/attention/door/checks.h"
#include "src/attention/passes/decode.h"

namespace keylens {
namespace {

using internal::CachedSequence;
using internal::Problem;

template <typename T, typename E>
void DecodeStored(const Problem& problem, const TensorView<const T, 4>& query,
                  const KeyValueCache::State& state,
                  const std::vector<const CachedSequence*>& sequences,
                  const std::vector<int64_t>& kv_lens,
                  const AttentionOutputs<T>& outputs) {
  internal::KeyValueSource<E> source;
  source.block_keys = state.options.page_len;
  source.rows = [&](int64_t batch, int64_t kv_head, int64_t first_key) {
    return state.RowsOf<E>(*sequences[static_cast<std::size_t>(batch)], kv_head,
                           first_key);
  };
  internal::Decode(problem, query, source, kv_lens, outputs);
}

}  // namespace

template <typename T>
void AttentionDecode(std::type_identity_t<TensorView<const T, 4>> query,
                     const KeyValueCache& cache,
                     std::span<const int64_t> sequences,
                     const AttentionOptions& options,
                     const AttentionOutputs<T>& outputs) {
  const KeyValueCache::State& state = cache.state();
  std::vector<const CachedSequence*> found;
  std::vector<int64_t> kv_lens;
  int64_t longest = 0;
  for (const int64_t sequence : sequences) {
    found.push_back(&state.Find("AttentionDecode", sequence));
    kv_lens.push_back(found.back()->length);
    longest = std::max(longest, kv_lens.back());
  }
  const Problem problem = internal::CheckDecode(
      query, state.options, static_cast<int64_t>(sequences.size()), longest,
      options, outputs);
  const auto decode = [&]<typename E>(E /*element*/) {
    DecodeStored<T, E>(problem, query, state, found, kv_lens, outputs);
  };
  switch (state.options.element) {
    case CacheElement::kFloat32:
      return decode(float());
    case CacheElement::kBFloat16:
      return decode(BFloat16());
    case CacheElement::kFloat16:
      return decode(Float16());
    case CacheElement::kInt8:
      return decode(int8_t());
  }
}

template void AttentionDecode(TensorView<const float, 4>, const KeyValueCache&,
                              std::span<const int64_t>, const AttentionOptions&,
                              const AttentionOutputs<float>&);
template void AttentionDecode(TensorView<const BFloat16, 4>,
                              const KeyValueCache&, std::span<const int64_t>,
                              const AttentionOptions&,
                              const AttentionOutputs<BFloat16>&);
template void AttentionDecode(TensorView<const Float16, 4>,
                              const KeyValueCache&, std::span<const int64_t>,
                              const AttentionOptions&,
                              const AttentionOutputs<Float16>&);

}  // namespace keylens
