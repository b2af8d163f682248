#include "systems/translator/search/beam_search.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "src/parallel/thread_pool.h"
#include "systems/translator/search/batch_search.h"

namespace keylens::translator {
namespace {

// Enough rows for matrix products to run at full speed; with 256 of them, keys,
// values and what lies between layers fit the cache.
constexpr std::size_t kRowsPerBatch = 256;
constexpr std::size_t kTokensPerBatch = 4096;

using Batch = std::vector<std::size_t>;  // indices of sources

// Sources of like length together, the longest first: a batch takes as many
// steps as its longest, and the last batches of the threads are short.
std::vector<Batch> MakeBatches(std::span<const std::vector<int32_t>> sources,
                               int beam, int threads) {
  std::vector<std::size_t> order(sources.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return sources[a].size() > sources[b].size();
                   });
  const std::size_t share =
      (sources.size() + static_cast<std::size_t>(threads) - 1) /
      static_cast<std::size_t>(threads);
  const std::size_t limit =
      std::clamp<std::size_t>(kRowsPerBatch / static_cast<std::size_t>(beam), 1,
                              std::max<std::size_t>(1, share));
  std::vector<Batch> batches;
  std::size_t tokens = 0;
  for (const std::size_t index : order) {
    const std::size_t size = sources[index].size();
    if (batches.empty() || batches.back().size() == limit ||
        tokens + size > kTokensPerBatch) {
      batches.emplace_back();
      tokens = 0;
    }
    batches.back().push_back(index);
    tokens += size;
  }
  return batches;
}

}  // namespace

std::vector<std::vector<Hypothesis>> BeamSearch(
    const InferenceModel& model, const SpecialTokens& tokens,
    std::span<const std::vector<int32_t>> sources, const SearchOptions& options,
    int threads) {
  std::vector<std::vector<Hypothesis>> results(sources.size());
  const std::vector<Batch> batches =
      MakeBatches(sources, options.beam, threads);
  ThreadPool pool(threads);
  ForEach(pool, static_cast<int64_t>(batches.size()), [&](int64_t number) {
    const auto b = static_cast<std::size_t>(number);
    std::vector<std::vector<int32_t>> batch;
    for (const std::size_t index : batches[b]) batch.push_back(sources[index]);
    nn::InferenceBuffers buffers;
    BatchSearch search(model, tokens, batch, options, buffers);
    std::vector<std::vector<Hypothesis>> found = search.Run();
    for (std::size_t i = 0; i < found.size(); ++i)
      results[batches[b][i]] = std::move(found[i]);
  });
  return results;
}

}  // namespace keylens::translator
