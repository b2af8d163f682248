#ifndef KEYLENS_SRC_RENDER_REPORT_HEAD_STATISTICS_H_
#define KEYLENS_SRC_RENDER_REPORT_HEAD_STATISTICS_H_

#include <array>
#include <string_view>

namespace keylens::render {

// What one head does on the mean over its queries (and over steps, pictures,
// sentences). Shares are parts of a query's weights, from 0 to 1. Those that
// count places mean something only where queries and keys are places of one
// sequence (AttentionPanel::self_attention); elsewhere they are 0.
struct HeadStatistics {
  float entropy = 0;       // nats: -sum over the keys of w ln w
  float even_entropy = 0;  // nats: the entropy if every query weighed the keys
                           // that it may see evenly, the mean of ln(keys)
  float first_key = 0;     // share on key 0, the usual attention sink
  float top_key = 0;       // share on the key with most weight over all queries
  float mean_distance = 0;  // places from a query to its keys, |i - j|
  float self = 0;           // share on the key at the query's own place
  float previous = 0;       // share on the key one place before
  float next = 0;           // share on the key one place behind
};

// What a head mainly does, in a word.
enum class HeadKind {
  kFirstKey,    // looks at key 0
  kOneKey,      // all queries look at one key, which is not key 0
  kSelf,        // at the query's own place
  kPrevious,    // one place before
  kNext,        // one place behind
  kNeighbours,  // at these three together
  kFocused,     // at few keys
  kBroad,       // at nearly all keys alike
  kMixed        // none of these
};

inline constexpr std::array kHeadKinds = {
    HeadKind::kFirstKey, HeadKind::kOneKey, HeadKind::kSelf,
    HeadKind::kPrevious, HeadKind::kNext,   HeadKind::kNeighbours,
    HeadKind::kFocused,  HeadKind::kBroad,  HeadKind::kMixed};

// The first kind, in the order above, whose condition holds:
//
//   first key, one key, self, previous, next   that share is at least 0.5
//   neighbours   self, previous and next are together at least 0.6
//   focused      the entropy is at most 0.4 of the even one
//   broad        the entropy is at least 0.8 of the even one, which is not 0
//
// A share must also be twice what even weights would give (for a single key 0.9
// is enough), so that a head over two or three keys is not called after one of
// them. Kinds that count places hold only with `self_attention`.
HeadKind KindOf(const HeadStatistics& statistics, bool self_attention);

// In words: "first key", "one key", "self", "previous", "next", "neighbours",
// "focused", "broad", "mixed".
std::string_view NameOf(HeadKind kind);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_HEAD_STATISTICS_H_
