#ifndef KEYLENS_SYSTEMS_GENERATOR_LOOKING_SURVEY_HEADS_H_
#define KEYLENS_SYSTEMS_GENERATOR_LOOKING_SURVEY_HEADS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "src/inspect/head_survey.h"
#include "systems/generator/pipeline.h"

namespace keylens::generator {

// What every head that looks from the picture to the prompt does while the
// prompts are drawn, in the mean over places, steps and prompts; layers have
// grids of different sizes, so each is a place by itself, named as
// LayerMaps::name. Pictures are drawn from the seed 0 on. The
// observer is told how many prompts are done.
std::vector<inspect::SurveyedPlace> SurveyHeads(
    const Pipeline& pipeline, std::span<const std::string> prompts,
    const DrawSettings& settings,
    const std::function<void(int64_t done, int64_t total)>& observer = {});

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_LOOKING_SURVEY_HEADS_H_
