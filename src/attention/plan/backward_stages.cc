#include "src/attention/plan/backward_stages.h"

#include <algorithm>

#include "src/attention/plan/plan.h"

namespace keylens::internal {

BackwardOrder StrictestOrder(const Problem& problem) {
  BackwardOrder strictest = BackwardOrder::kAny;
  for (const ScoreMod* mod : problem.score_mods) {
    const BackwardOrder order = mod->OrderOfBackward();
    if (order == strictest || order == BackwardOrder::kAny) continue;
    strictest =
        strictest == BackwardOrder::kAny ? order : BackwardOrder::kTotal;
  }
  return strictest;
}

BackwardStages::BackwardStages(const Problem& problem, int64_t groups_per_round)
    : problem_(problem),
      unit_keys_(BackwardKeys(problem)),
      stretches_(std::max<int64_t>(1, CeilDiv(problem.kv_len, unit_keys_))),
      groups_(problem.batch * problem.num_kv_heads),
      per_round_(std::clamp<int64_t>(groups_per_round, 1,
                                     std::max<int64_t>(1, groups_))) {}

int64_t BackwardStages::RoundSize(int64_t round) const {
  return std::min(per_round_, groups_ - round * per_round_);
}

int64_t BackwardStages::Stretch(int64_t stage) const {
  const int64_t round = stage / (per_round_ * stretches_);
  return stage % (per_round_ * stretches_) / RoundSize(round);
}

int64_t BackwardStages::Group(int64_t stage) const {
  const int64_t round = stage / (per_round_ * stretches_);
  return round * per_round_ +
         stage % (per_round_ * stretches_) % RoundSize(round);
}

int64_t BackwardStages::StageOf(int64_t group, int64_t stretch) const {
  const int64_t round = group / per_round_;
  return round * per_round_ * stretches_ + stretch * RoundSize(round) +
         group % per_round_;
}

Unit BackwardStages::UnitOf(int64_t stage) const {
  const int64_t group = Group(stage);
  Unit unit;
  unit.batch = group / problem_.num_kv_heads;
  unit.kv_head = group % problem_.num_kv_heads;
  unit.end_tile = problem_.GroupSize() * TilesPerHead(problem_);
  unit.first_key = Stretch(stage) * unit_keys_;
  unit.end_key = std::min(unit.first_key + unit_keys_, problem_.kv_len);
  return unit;
}

int64_t BackwardStages::GroupBefore(int64_t stage) const {
  const int64_t group = Group(stage);
  return group == 0 ? -1 : StageOf(group - 1, Stretch(stage));
}

int64_t BackwardStages::StretchBefore(int64_t stage) const {
  const int64_t stretch = Stretch(stage);
  return stretch == 0 ? -1 : StageOf(Group(stage), stretch - 1);
}

int64_t BackwardStages::RoundBefore(int64_t stage) const {
  const int64_t group = Group(stage);
  return group < per_round_ ? -1 : StageOf(group - per_round_, stretches_ - 1);
}

}  // namespace keylens::internal
