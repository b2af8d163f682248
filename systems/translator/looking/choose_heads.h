#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_CHOOSE_HEADS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_CHOOSE_HEADS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "systems/translator/looking/alignment.h"
#include "systems/translator/pipeline.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::translator {

// Heads of cross-attention, and how often they agree with a lexical aligner.
struct ChosenHeads {
  AlignmentHeads heads;
  double agreement = 0;  // the share of the aligner's links that are theirs
  int64_t links = 0;     // of the aligner, on the sentences compared
  int64_t sentences = 0;
  double of_last_layer = 0;  // the agreement of all heads of the last layer
};

// Learns a lexical alignment from `pairs` and chooses the heads whose mean
// agrees with it best on about `sentences` of them, spread over all: the best
// single one, then those that add to it, one at a time; in both rows (see
// AlignmentHeads). The translations are the pairs' own targets, not the
// model's.
ChosenHeads ChooseAlignmentHeads(const Pipeline& pipeline,
                                 const std::vector<SentencePair>& pairs,
                                 int64_t sentences);

// Writes the entry "alignment" into a model's config.json.
void WriteAlignmentHeads(const std::filesystem::path& config_file,
                         const ChosenHeads& chosen);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_CHOOSE_HEADS_H_
