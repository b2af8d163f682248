#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ATTENTION_MAPS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ATTENTION_MAPS_H_

#include "src/render/report/attention_report.h"
#include "systems/translator/pipeline.h"

namespace keylens::translator {

// What the model looked at while it made `translation`, for each of its calls:
//
//   alignment   the mean of the heads that alignments are read from: German
//               pieces for each English one
//   cross-attention, decoder, encoder   every layer and head
//
// A row of the first two is named after the piece that it writes, one of the
// decoder after the piece that it reads. No panels where the model was not
// called.
render::AttentionReport AttentionMaps(const Pipeline& pipeline,
                                      const Translation& translation);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ATTENTION_MAPS_H_
