#ifndef KEYLENS_SRC_ATTENTION_PASSES_PASSES_H_
#define KEYLENS_SRC_ATTENTION_PASSES_PASSES_H_

#include <keylens/attention.h>

#include "src/attention/plan/problem.h"

// Whole passes over checked arguments, whichever kernel suits their shapes.

namespace keylens::internal {

// The outputs, without statistics.
template <typename T>
void ForwardAlone(const Problem& problem, const AttentionInputs<T>& inputs,
                  const AttentionOutputs<T>& outputs);

// Tell the score mods that a backward pass over scores of that shape begins,
// and that it is over.
void BeginBackward(const Problem& problem, const ScoreShape& scores);
void EndBackward(const Problem& problem);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_PASSES_H_
