#include "src/text/unigram.h"

#include <algorithm>
#include <limits>
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

// Offers every piece that begins at `begin` to the place where it ends.
void UnigramSegmenter::Extend(std::string_view normalized, std::size_t begin,
                              std::vector<PathEnd>& best) const {
  const float before = best[begin].score;
  const auto offer = [&](std::size_t end, int32_t id, double score) {
    const double candidate = score + before;
    PathEnd& path = best[end];
    if (path.begin == kNone || candidate > path.score)
      path = {id, static_cast<float>(candidate), begin};
  };
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

}  // namespace keylens
