#include "systems/translator/search/batch_search.h"

#include <algorithm>

#include "src/base/finite.h"
#include "src/nn/inference/row_kernels.h"
#include "systems/translator/search/top_tokens.h"

namespace keylens::translator {
namespace {

// Logits of so many rows are made at once: they stay in the cache until the
// best of them are found.
constexpr int64_t kLogitRows = 48;

// English has seldom as many pieces as this for German.
int64_t MaxPieces(std::size_t source_tokens, const TranslatorConfig& config) {
  const auto pieces = static_cast<int64_t>(2 * source_tokens + 10);
  return std::min(pieces, config.max_tokens - 1);
}

// The end token is no piece.
std::span<const int32_t> PiecesOf(const std::vector<int32_t>& source) {
  return std::span(source).first(source.size() - 1);
}

}  // namespace

BatchSearch::BatchSearch(const InferenceModel& model,
                         const SpecialTokens& tokens,
                         std::span<const std::vector<int32_t>> sources,
                         const SearchOptions& options,
                         nn::InferenceBuffers& buffers)
    : model_(model),
      tokens_(tokens),
      buffers_(buffers),
      memory_(model.Encode(sources, buffers)),
      state_(model.decoder(), memory_.rows.data(), memory_.offsets) {
  for (const std::vector<int32_t>& source : sources) {
    beams_.emplace_back(options, tokens.end, LoopGuard(PiecesOf(source)),
                        MaxPieces(source.size(), model.config()));
    sequences_.push_back({state_.Add()});
    num_continuations_ = beams_.back().num_continuations();
  }
}

BatchSearch::Rows BatchSearch::GatherRows() const {
  Rows rows;
  for (std::size_t source = 0; source < beams_.size(); ++source) {
    const Beam& beam = beams_[source];
    if (beam.done()) continue;
    for (std::size_t i = 0; i < beam.live().size(); ++i) {
      const std::vector<int32_t>& ids = beam.live()[i].ids;
      rows.ids.push_back(ids.empty() ? tokens_.start : ids.back());
      rows.sequences.push_back(sequences_[source][i]);
      rows.sources.push_back(static_cast<int64_t>(source));
    }
  }
  return rows;
}

std::vector<std::vector<Continuation>> BatchSearch::Continuations(
    const std::vector<float>& hidden, int64_t num_rows) const {
  const int64_t vocab = model_.config().vocab_size;
  const int64_t size = model_.config().hidden_size;
  std::vector<float> logits(
      static_cast<std::size_t>(std::min(num_rows, kLogitRows) * vocab));
  std::vector<std::vector<Continuation>> continuations;
  for (int64_t first = 0; first < num_rows; first += kLogitRows) {
    const int64_t count = std::min(kLogitRows, num_rows - first);
    model_.Logits(hidden.data() + first * size, count, logits.data());
    for (int64_t i = 0; i < count; ++i) {
      const float* row = logits.data() + i * vocab;
      CheckResult({row, static_cast<std::size_t>(vocab)}, "translator");
      const float log_sum = nn::LogSumExp(row, vocab);
      std::vector<Continuation>& next = continuations.emplace_back();
      for (const TokenLogit& token :
           TopTokens({row, static_cast<std::size_t>(vocab)}, num_continuations_,
                     tokens_.never)) {
        next.push_back({token.id, token.logit - log_sum});
      }
    }
  }
  return continuations;
}

// A sequence goes on with the first that it is the parent of; others fork it.
void BatchSearch::FollowParents(std::size_t source,
                                const std::vector<std::size_t>& parents) {
  std::vector<int64_t>& old = sequences_[source];
  std::vector<bool> used(old.size(), false);
  std::vector<int64_t> next;
  for (const std::size_t parent : parents) {
    next.push_back(used[parent] ? state_.Fork(old[parent]) : old[parent]);
    used[parent] = true;
  }
  for (std::size_t i = 0; i < old.size(); ++i)
    if (!used[i]) state_.Remove(old[i]);
  old = std::move(next);
}

void BatchSearch::Advance(
    std::span<const std::vector<Continuation>> continuations) {
  std::size_t row = 0;
  for (std::size_t source = 0; source < beams_.size(); ++source) {
    Beam& beam = beams_[source];
    if (beam.done()) continue;
    const std::size_t count = beam.live().size();
    FollowParents(source, beam.Advance(continuations.subspan(row, count)));
    row += count;
  }
}

std::vector<std::vector<Hypothesis>> BatchSearch::Run() {
  std::vector<float> hidden;
  for (int64_t position = 0;; ++position) {
    const Rows rows = GatherRows();
    if (rows.ids.empty()) break;
    const auto num_rows = static_cast<int64_t>(rows.ids.size());
    hidden.resize(
        static_cast<std::size_t>(num_rows * model_.config().hidden_size));
    model_.EmbedAt(rows.ids, position, hidden.data());
    model_.decoder().Step(state_, rows.sequences, rows.sources, hidden.data(),
                          buffers_);
    Advance(Continuations(hidden, num_rows));
  }
  std::vector<std::vector<Hypothesis>> results;
  for (const Beam& beam : beams_) results.push_back(beam.Best());
  return results;
}

}  // namespace keylens::translator
