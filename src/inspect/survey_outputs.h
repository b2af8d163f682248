#ifndef KEYLENS_SRC_INSPECT_SURVEY_OUTPUTS_H_
#define KEYLENS_SRC_INSPECT_SURVEY_OUTPUTS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/inspect/head_survey.h"
#include "src/render/report/attention_report.h"

// What docs/inspecting.md describes.

namespace keylens::inspect {

// A line for each head, for a terminal.
std::string SurveyTable(const SurveyedPlace& place);

nlohmann::ordered_json ToJson(const SurveyedPlace& place);

// For each statistic that is a share a map of layers and heads.
std::vector<render::AttentionPanel> SurveyPanels(const SurveyedPlace& place);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_SURVEY_OUTPUTS_H_
