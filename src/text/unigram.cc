#include "src/text/unigram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

namespace keylens {
namespace {

constexpr float kUnknownPenalty = 10;

// Bytes of a character, by its first one alone.
std::size_t CharacterBytes(std::string_view text, std::size_t at) {
  constexpr uint8_t kLengths[] = {1, 1, 1, 1, 1, 1, 1, 1,
                                  1, 1, 1, 1, 2, 2, 3, 4};
  const std::size_t length = kLengths[static_cast<uint8_t>(text[at]) >> 4];
  return std::min(length, text.size() - at);
}

// ln(exp(a) + exp(b)).
double LogAdd(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

// An index, drawn with a probability proportional to exp(log_weights).
std::size_t DrawLog(const std::vector<double>& log_weights,
                    std::mt19937_64& random) {
  const double largest =
      *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0;
  for (const double weight : log_weights) sum += std::exp(weight - largest);
  double rest = static_cast<double>(random() >> 11) * 0x1.0p-53 * sum;
  for (std::size_t i = 0; i + 1 < log_weights.size(); ++i) {
    rest -= std::exp(log_weights[i] - largest);
    if (rest < 0) return i;
  }
  return log_weights.size() - 1;
}

PieceTrie TrieOfPieces(const std::vector<Piece>& pieces) {
  std::vector<std::pair<std::string, int32_t>> strings;
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    const PieceType type = pieces[id].type;
    if (type == PieceType::kNormal || type == PieceType::kUserDefined) {
      strings.emplace_back(pieces[id].text, static_cast<int32_t>(id));
    }
  }
  return PieceTrie(std::move(strings));
}

}  // namespace

UnigramSegmenter::UnigramSegmenter(const SubwordModel& model)
    : trie_(TrieOfPieces(model.pieces)), unknown_id_(model.unknown_id) {
  float smallest = std::numeric_limits<float>::max();
  largest_score_ = std::numeric_limits<float>::min();
  for (const Piece& piece : model.pieces) {
    scores_.push_back(piece.score);
    user_defined_.push_back(piece.type == PieceType::kUserDefined);
    if (piece.type != PieceType::kNormal) continue;
    smallest = std::min(smallest, piece.score);
    largest_score_ = std::max(largest_score_, piece.score);
  }
  unknown_score_ = smallest - kUnknownPenalty;
}

// A piece that the user asked for is scored so that it always wins.
double UnigramSegmenter::ScoreOf(int32_t id, std::size_t length) const {
  return user_defined_[id] ? static_cast<float>(length) * largest_score_ - 0.1
                           : scores_[id];
}

template <typename Offer>
void UnigramSegmenter::ForPiecesAt(std::string_view normalized,
                                   std::size_t begin,
                                   const Offer& offer) const {
  const std::size_t character_end = begin + CharacterBytes(normalized, begin);
  bool has_character = false;
  PieceTrie::Node node = PieceTrie::kRoot;
  for (std::size_t end = begin + 1; end <= normalized.size(); ++end) {
    node = trie_.Step(node, normalized[end - 1]);
    if (node == PieceTrie::kNowhere) break;
    const int32_t id = trie_.IdAt(node);
    if (id < 0) continue;
    offer(end, id, ScoreOf(id, end - begin));
    has_character = has_character || end == character_end;
  }
  if (!has_character) offer(character_end, unknown_id_, unknown_score_);
}

// Offers every piece that begins at `begin` to the place where it ends.
void UnigramSegmenter::Extend(std::string_view normalized, std::size_t begin,
                              std::vector<PathEnd>& best) const {
  const float before = best[begin].score;
  ForPiecesAt(normalized, begin,
              [&](std::size_t end, int32_t id, double score) {
                const double candidate = score + before;
                PathEnd& path = best[end];
                if (path.begin == kNone || candidate > path.score)
                  path = {id, static_cast<float>(candidate), begin};
              });
}

std::vector<Segment> UnigramSegmenter::Split(
    std::string_view normalized) const {
  std::vector<PathEnd> best(normalized.size() + 1);
  for (std::size_t begin = 0; begin < normalized.size();
       begin += CharacterBytes(normalized, begin)) {
    Extend(normalized, begin, best);
  }
  std::vector<Segment> segments;
  for (std::size_t end = normalized.size(); end > 0; end = best[end].begin) {
    segments.push_back({best[end].id, best[end].begin, end});
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

// Forward filtering, backward sampling: first, for each place, the logarithm of
// the summed weight of all ways to get there; then, from the end, each piece by
// its share of that sum.
std::vector<Segment> UnigramSegmenter::Sample(std::string_view normalized,
                                              double sharpness,
                                              uint64_t seed) const {
  struct Way {
    Segment segment;
    double weight = 0;  // logarithm, of all ways that end with the segment
  };
  std::vector<std::vector<Way>> ways(normalized.size() + 1);  // by their ends
  std::vector<double> total(normalized.size() + 1, 0);
  for (std::size_t begin = 0; begin < normalized.size();
       begin += CharacterBytes(normalized, begin)) {
    if (begin > 0) {
      total[begin] = -std::numeric_limits<double>::infinity();
      for (const Way& way : ways[begin])
        total[begin] = LogAdd(total[begin], way.weight);
    }
    ForPiecesAt(normalized, begin,
                [&](std::size_t end, int32_t id, double score) {
                  ways[end].push_back(
                      {{id, begin, end}, sharpness * score + total[begin]});
                });
  }
  std::mt19937_64 random(seed);
  std::vector<Segment> segments;
  for (std::size_t end = normalized.size(); end > 0;) {
    std::vector<double> weights;
    for (const Way& way : ways[end]) weights.push_back(way.weight);
    segments.push_back(ways[end][DrawLog(weights, random)].segment);
    end = segments.back().begin;
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

}  // namespace keylens
