#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BATCH_SEARCH_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BATCH_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/models/keylens_translator/inference_model.h"
#include "systems/translator/search/beam.h"
#include "systems/translator/search/search_options.h"

namespace keylens::translator {

// Beam searches of several sources side by side: each step runs the decoder
// once over all hypotheses of all of them. One thread.
class BatchSearch {
 public:
  BatchSearch(const InferenceModel& model, const SpecialTokens& tokens,
              std::span<const std::vector<int32_t>> sources,
              const SearchOptions& options, nn::InferenceBuffers& buffers);

  // The translations of each source, as BeamSearch returns them.
  std::vector<std::vector<Hypothesis>> Run();

 private:
  // What the decoder is run on: one row for each live hypothesis.
  struct Rows {
    std::vector<int32_t> ids;        // the last piece of each
    std::vector<int64_t> sequences;  // as the decoding state knows them
    std::vector<int64_t> sources;
  };

  Rows GatherRows() const;
  std::vector<std::vector<Continuation>> Continuations(
      const std::vector<float>& hidden, int64_t num_rows) const;
  void Advance(std::span<const std::vector<Continuation>> continuations);
  void FollowParents(std::size_t source,
                     const std::vector<std::size_t>& parents);

  const InferenceModel& model_;
  const SpecialTokens& tokens_;
  nn::InferenceBuffers& buffers_;
  Memory memory_;
  nn::DecodingState state_;
  std::vector<Beam> beams_;
  std::vector<std::vector<int64_t>> sequences_;  // of each beam's live ones
  int num_continuations_ = 0;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_BATCH_SEARCH_H_
