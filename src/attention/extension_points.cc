// What users' own masks and score mods inherit.

#include <keylens/mask.h>
#include <keylens/score_mod.h>

namespace keylens {

std::string Mask::Misfit(const ScoreShape& /*shape*/) const { return {}; }

void ScoreMod::BeginBackward(const ScoreShape& /*shape*/) const {}

void ScoreMod::EndBackward() const {}

std::string ScoreMod::Misfit(const ScoreShape& /*shape*/) const { return {}; }

}  // namespace keylens
