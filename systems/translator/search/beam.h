#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/translator/search/loop_guard.h"
#include "systems/translator/search/search_options.h"

namespace keylens::translator {

// A token that may come next, and its log-probability.
struct Continuation {
  int32_t id = 0;
  float log_prob = 0;
};

// The beam search of one sentence; it knows no model. Ties go to the hypothesis
// that was better before, then to the continuation listed first.
class Beam {
 public:
  // `max_pieces`: a translation that has as many is ended.
  Beam(const SearchOptions& options, int32_t end_id, LoopGuard guard,
       int64_t max_pieces);

  // Those that are still written, best first; at the start one without pieces.
  // Their scores are not set.
  const std::vector<Hypothesis>& live() const { return live_; }

  // How many continuations of each live one Advance needs, likeliest first.
  int num_continuations() const { return 2 * options_.beam; }

  // Takes the step that follows from continuations[i] of live()[i], and returns
  // for each new live one which old one it goes on from.
  std::vector<std::size_t> Advance(
      std::span<const std::vector<Continuation>> continuations);

  // Whether nothing that is live can still come in front of what is wanted.
  bool done() const;

  // The best that ended, at most nbest; not empty once done.
  std::vector<Hypothesis> Best() const;

 private:
  struct Candidate {
    std::size_t parent;
    Continuation next;
    double log_prob;
  };

  std::vector<Candidate> Ranked(
      std::span<const std::vector<Continuation>> continuations) const;
  Hypothesis Extended(const Candidate& candidate) const;
  void Finish(Hypothesis hypothesis);
  double Penalty(std::size_t pieces) const;

  SearchOptions options_;
  int32_t end_id_;
  LoopGuard guard_;
  std::size_t max_pieces_;
  std::vector<Hypothesis> live_, finished_;  // both best first
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_H_
