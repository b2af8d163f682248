#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_SEARCH_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_SEARCH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/models/keylens_translator/inference_model.h"
#include "systems/translator/search/search_options.h"

namespace keylens::translator {

// The translations of each source, best first, options.nbest of them where the
// search ends with as many, and at least one.
//
// `sources`: pieces and the end token, 1 to config().max_tokens tokens each.
// They are decoded in batches of like length, by `threads` threads (at least
// 1); a source's translations have the same bits in any company and with any
// number of threads.
std::vector<std::vector<Hypothesis>> BeamSearch(
    const InferenceModel& model, const SpecialTokens& tokens,
    std::span<const std::vector<int32_t>> sources, const SearchOptions& options,
    int threads);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BEAM_SEARCH_H_
