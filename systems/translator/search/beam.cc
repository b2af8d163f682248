#include "systems/translator/search/beam.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace keylens::translator {

Beam::Beam(const SearchOptions& options, int32_t end_id, LoopGuard guard,
           int64_t max_pieces)
    : options_(options),
      end_id_(end_id),
      guard_(guard),
      max_pieces_(static_cast<std::size_t>(max_pieces)),
      live_(1) {}

double Beam::Penalty(std::size_t pieces) const {
  return std::pow((5 + static_cast<double>(pieces)) / 6,
                  options_.length_penalty);
}

std::vector<Beam::Candidate> Beam::Ranked(
    std::span<const std::vector<Continuation>> continuations) const {
  std::vector<Candidate> candidates;
  for (std::size_t parent = 0; parent < live_.size(); ++parent) {
    for (const Continuation& next : continuations[parent]) {
      candidates.push_back(
          {parent, next,
           live_[parent].log_prob + static_cast<double>(next.log_prob)});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return a.log_prob > b.log_prob;
                   });
  return candidates;
}

Hypothesis Beam::Extended(const Candidate& candidate) const {
  Hypothesis hypothesis = live_[candidate.parent];
  hypothesis.log_probs.push_back(candidate.next.log_prob);
  hypothesis.log_prob = candidate.log_prob;
  if (candidate.next.id != end_id_) hypothesis.ids.push_back(candidate.next.id);
  return hypothesis;
}

// The length that counts includes the end.
void Beam::Finish(Hypothesis hypothesis) {
  hypothesis.score = hypothesis.log_prob / Penalty(hypothesis.log_probs.size());
  const auto place = std::find_if(
      finished_.begin(), finished_.end(),
      [&](const Hypothesis& other) { return other.score < hypothesis.score; });
  finished_.insert(place, std::move(hypothesis));
}

std::vector<std::size_t> Beam::Advance(
    std::span<const std::vector<Continuation>> continuations) {
  const auto width = static_cast<std::size_t>(options_.beam);
  std::vector<Hypothesis> next;
  std::vector<std::size_t> parents;
  std::size_t rank = 0;
  for (const Candidate& candidate : Ranked(continuations)) {
    if (next.size() == width) break;
    const bool in_beam = rank++ < width;
    if (candidate.next.id == end_id_) {
      // Below the beam, an end is no better than what goes on.
      if (in_beam) Finish(Extended(candidate));
    } else if (guard_.Allows(live_[candidate.parent].ids, candidate.next.id)) {
      next.push_back(Extended(candidate));
      parents.push_back(candidate.parent);
    }
  }
  const bool at_limit = !next.empty() && next[0].ids.size() >= max_pieces_;
  if (at_limit || (next.empty() && finished_.empty())) {
    // What is not ended by now, or has no way on but a loop, stays as it is.
    for (Hypothesis& hypothesis : at_limit ? next : live_)
      Finish(std::move(hypothesis));
    next.clear();
    parents.clear();
  }
  live_ = std::move(next);
  return parents;
}

bool Beam::done() const {
  if (live_.empty()) return true;
  const auto wanted = static_cast<std::size_t>(options_.nbest);
  if (finished_.size() < wanted) return false;
  if (options_.beam == 1) return true;
  // Log-probabilities only fall; at best the length still counts in its favour.
  const double best_possible = live_[0].log_prob / Penalty(max_pieces_ + 1);
  return best_possible <= finished_[wanted - 1].score;
}

std::vector<Hypothesis> Beam::Best() const {
  const auto count =
      std::min(finished_.size(), static_cast<std::size_t>(options_.nbest));
  return {finished_.begin(),
          finished_.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace keylens::translator
