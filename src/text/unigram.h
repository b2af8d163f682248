#ifndef KEYLENS_SRC_TEXT_UNIGRAM_H_
#define KEYLENS_SRC_TEXT_UNIGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/text/piece_trie.h"
#include "src/text/subword_model.h"

namespace keylens {

// A piece of a normalised text: its id and its bytes [begin, end).
struct Segment {
  int32_t id = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Splits a normalised text into the pieces whose scores have the largest sum
// (Kudo 2018, "Subword Regularization", section 3.1; the search is Viterbi's).
// A character that no piece is made of costs 10 more than the rarest piece.
class UnigramSegmenter {
 public:
  explicit UnigramSegmenter(const SubwordModel& model);

  // The same pieces as SentencePiece's, down to the rounding of the sums.
  std::vector<Segment> Split(std::string_view normalized) const;

  // One of all ways to split the text, drawn with a probability proportional to
  // exp(sharpness * sum of scores) (the same paper, section 3.2): 0 draws all
  // alike, a large value draws nearly always what Split gives. `seed` decides
  // on the draw.
  std::vector<Segment> Sample(std::string_view normalized, double sharpness,
                              uint64_t seed) const;

 private:
  struct PathEnd {
    int32_t id = -1;
    float score = 0;
    std::size_t begin = kNone;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  double ScoreOf(int32_t id, std::size_t length) const;
  // Calls offer(end, id, score) for every piece that begins at `begin`.
  template <typename Offer>
  void ForPiecesAt(std::string_view normalized, std::size_t begin,
                   const Offer& offer) const;
  void Extend(std::string_view normalized, std::size_t begin,
              std::vector<PathEnd>& best) const;

  PieceTrie trie_;
  std::vector<float> scores_;       // by id
  std::vector<bool> user_defined_;  // by id
  int32_t unknown_id_;
  float unknown_score_;
  float largest_score_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_UNIGRAM_H_
