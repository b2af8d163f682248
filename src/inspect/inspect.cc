#include "src/inspect/inspect.h"

#include <keylens/attention.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "src/base/error.h"

namespace keylens::inspect {
namespace {

template <typename T>
std::vector<T> Room(int64_t a, int64_t b, int64_t c = 1) {
  return std::vector<T>(static_cast<std::size_t>(a * b * c));
}

// Makes room for what is asked, and says where it is.
Inspection MakeRoom(const AttentionInputsOfFiles& inputs,
                    const InspectionRequest& request, EntryStatistics& to) {
  const int64_t heads = inputs.heads(), queries = inputs.query_len(),
                keys = inputs.kv_len(), top = request.top_keys,
                offsets = queries + keys - 1;
  Inspection look;
  to.entropy = Room<float>(heads, queries);
  look.entropy = Contiguous(to.entropy.data(), {1, heads, queries});
  to.key_mass = Room<float>(heads, keys);
  look.key_mass = Contiguous(to.key_mass.data(), {1, heads, keys});
  to.offset_mass = Room<float>(heads, offsets);
  look.offset_mass = Contiguous(to.offset_mass.data(), {1, heads, offsets});
  if (top > 0) {
    to.top_keys = Room<int64_t>(heads, queries, top);
    look.top_keys = Contiguous(to.top_keys.data(), {1, heads, queries, top});
    to.top_weights = Room<float>(heads, queries, top);
    look.top_weights =
        Contiguous(to.top_weights.data(), {1, heads, queries, top});
  }
  if (request.weights) {
    to.weights = Room<float>(heads, queries, keys);
    look.weights = Contiguous(to.weights.data(), {1, heads, queries, keys});
  }
  if (!request.query_group.empty()) {
    to.pooled = Room<float>(heads, request.query_groups, request.key_groups);
    look.query_group = request.query_group;
    look.key_group = request.key_group;
    look.pooled = Contiguous(
        to.pooled.data(), {1, heads, request.query_groups, request.key_groups});
  }
  return look;
}

void CheckScores(const AttentionInputsOfFiles& inputs, int64_t entry,
                 const std::vector<float>& logsumexp) {
  for (std::size_t row = 0; row < logsumexp.size(); ++row) {
    if (std::isfinite(logsumexp[row]) ||
        logsumexp[row] == -std::numeric_limits<float>::infinity())
      continue;
    const auto at = static_cast<int64_t>(row);
    throw Error(inputs.sources().query.place + " and " +
                inputs.sources().key.place + ": batch entry " +
                std::to_string(entry) + ", head " +
                std::to_string(at / inputs.query_len() + 1) + ", query " +
                std::to_string(at % inputs.query_len()) +
                ": its scores are not finite; do the arrays hold NaN or "
                "infinite numbers?");
  }
}

// The statistics do not depend on the values: there is one number for each key,
// all of them the same 0.
template <typename T>
void RunEngine(const AttentionInputsOfFiles& inputs, int64_t entry,
               const AttentionOptions& options, const Inspection& look) {
  const int64_t heads = inputs.heads(), queries = inputs.query_len();
  const T zero(0.0f);
  const TensorView<const T, 4> values = {
      &zero, {1, inputs.kv_heads(), inputs.kv_len(), 1}, {0, 0, 0, 0}};
  std::vector<T> out = Room<T>(heads, queries);
  std::vector<float> logsumexp = Room<float>(heads, queries);
  AttentionForward<T>(
      {inputs.query().Entry<T>(entry), inputs.key().Entry<T>(entry), values},
      options,
      {Contiguous(out.data(), {1, heads, queries, 1}),
       Contiguous(logsumexp.data(), {1, heads, queries})},
      &look);
  CheckScores(inputs, entry, logsumexp);
}

}  // namespace

EntryStatistics InspectEntry(const AttentionInputsOfFiles& inputs,
                             int64_t entry, const InspectionRequest& request) {
  EntryStatistics statistics;
  const Inspection look = MakeRoom(inputs, request, statistics);
  const std::unique_ptr<Mask> mask = inputs.MaskOf(entry);
  AttentionOptions options;
  options.scale = inputs.scale();
  options.mask = mask.get();
  options.num_threads = request.num_threads;
  const auto start = std::chrono::steady_clock::now();
  switch (inputs.query().type) {
    case ElementType::kBFloat16:
      RunEngine<BFloat16>(inputs, entry, options, look);
      break;
    case ElementType::kFloat16:
      RunEngine<Float16>(inputs, entry, options, look);
      break;
    default:
      RunEngine<float>(inputs, entry, options, look);
  }
  statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  statistics.live_keys = inputs.LiveKeys(entry);
  return statistics;
}

}  // namespace keylens::inspect
