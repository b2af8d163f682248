#ifndef KEYLENS_SYSTEMS_CLASSIFIER_LOOKING_SURVEY_HEADS_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_LOOKING_SURVEY_HEADS_H_

#include <cstdint>
#include <vector>

#include "src/inspect/head_survey.h"
#include "src/models/vit/inference_model.h"
#include "systems/classifier/data/dataset.h"

namespace keylens::classifier {

struct SurveyedPictures {
  std::vector<inspect::SurveyedPlace> places;
  int64_t pictures = 0;
};

// What every head does for up to `count` test pictures, spread over all of
// them. Queries and keys are the class token and the patches, row by row: key 0
// is the class token, and the next key the patch on the right. Throws Error as
// ReadPictures does.
SurveyedPictures SurveyHeads(const InferenceModel& model,
                             const Dataset& dataset, int64_t count,
                             const NoteSink& note);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_LOOKING_SURVEY_HEADS_H_
