#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_SURVEY_HEADS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_SURVEY_HEADS_H_

#include <cstdint>
#include <vector>

#include "src/inspect/head_survey.h"
#include "systems/translator/pipeline.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::translator {

struct SurveyedPairs {
  // Encoder, decoder and cross-attention; of the last how often each head
  // agrees with a lexical aligner, in the row that alignments are read from.
  std::vector<inspect::SurveyedPlace> places;
  int64_t pairs = 0;
  int64_t links = 0;  // of the aligner
};

// What every head does while the model writes the translations of up to `count`
// held-out pairs, spread over all of them; the aligner learns from the pairs to
// train on. Throws Error where no pair fits the model.
SurveyedPairs SurveyHeads(const Pipeline& pipeline, const ParallelText& text,
                          int64_t count);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_SURVEY_HEADS_H_
