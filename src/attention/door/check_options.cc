#include "src/attention/door/check_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "src/attention/plan/parallel.h"

namespace keylens::internal {
namespace {

void RequireUsable(const ArgumentChecker& checker,
                   const AttentionOptions& options, const ScoreShape& shape) {
  if (options.scale.has_value() && std::isnan(*options.scale))
    checker.Fail("scale is NaN");
  if (options.num_threads < 0)
    checker.Fail("num_threads is " + std::to_string(options.num_threads));
  const auto num_sinks = static_cast<int64_t>(options.sinks.size());
  if (num_sinks != 0 && num_sinks != shape.num_heads) {
    checker.Fail("there are " + std::to_string(num_sinks) + " sinks for " +
                 std::to_string(shape.num_heads) + " heads");
  }
  for (const float sink : options.sinks) {
    if (!(sink < std::numeric_limits<float>::infinity()))
      checker.Fail("a sink is " + std::to_string(sink));
  }
  const float dropout = options.dropout.probability;
  if (!(dropout >= 0.0f && dropout < 1.0f)) {
    checker.Fail("the dropout probability " + std::to_string(dropout) +
                 " is not in [0, 1)");
  }
  const auto require_fit = [&](const std::string& misfit) {
    if (misfit.empty()) return;
    checker.Fail(
        misfit + "; the scores are " +
        ShapeText(std::array<int64_t, 4>{shape.batch, shape.num_heads,
                                         shape.query_len, shape.kv_len}));
  };
  if (options.mask != nullptr) require_fit(options.mask->Misfit(shape));
  for (const ScoreMod* mod : options.score_mods) {
    if (mod == nullptr) checker.Fail("a score mod is null");
    require_fit(mod->Misfit(shape));
  }
}

// Returns the length of the longest sequence.
int64_t CheckOffsets(const ArgumentChecker& checker, const char* name,
                     std::span<const int64_t> offsets, int64_t len) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != len) {
    checker.Fail(std::string(name) + " offsets must run from 0 to " +
                 std::to_string(len) + ", the length of the axis");
  }
  int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const int64_t own = offsets[s + 1] - offsets[s];
    if (own < 0)
      checker.Fail(std::string(name) + " offset " + std::to_string(s + 1) +
                   " is less than the one before");
    longest = std::max(longest, own);
  }
  return longest;
}

}  // namespace

ScoreShape ScoresOf(const Problem& problem) {
  return {problem.batch, problem.num_heads, problem.query_len, problem.kv_len};
}

ScoreShape ScoresOf(const ArgumentChecker& checker, const Problem& problem,
                    const SequenceOffsets& offsets) {
  if (problem.batch != 1)
    checker.Fail("the batch axis of packed sequences has length " +
                 std::to_string(problem.batch) + ", not 1");
  if (offsets.query.size() != offsets.key.size()) {
    checker.Fail(std::to_string(offsets.query.size()) + " query offsets and " +
                 std::to_string(offsets.key.size()) + " key offsets");
  }
  const int64_t query =
      CheckOffsets(checker, "query", offsets.query, problem.query_len);
  const int64_t key = CheckOffsets(checker, "key", offsets.key, problem.kv_len);
  return {static_cast<int64_t>(offsets.query.size()) - 1, problem.num_heads,
          query, key};
}

void AddOptions(const ArgumentChecker& checker, const AttentionOptions& options,
                const ScoreShape& scores, Problem& problem) {
  RequireUsable(checker, options, scores);
  problem.scale = options.scale.value_or(
      1.0f / std::sqrt(static_cast<float>(problem.head_dim)));
  problem.mask = options.mask;
  problem.score_mods = options.score_mods;
  problem.sinks = options.sinks;
  problem.dropout = options.dropout;
  problem.num_threads = ResolveThreads(options.num_threads);
}

}  // namespace keylens::internal
