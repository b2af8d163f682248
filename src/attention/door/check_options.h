#ifndef KEYLENS_SRC_ATTENTION_DOOR_CHECK_OPTIONS_H_
#define KEYLENS_SRC_ATTENTION_DOOR_CHECK_OPTIONS_H_

#include <keylens/packed_sequences.h>

#include "src/attention/door/argument_checker.h"
#include "src/attention/plan/problem.h"

namespace keylens::internal {

// The axes of the scores as masks and mods see them.
ScoreShape ScoresOf(const Problem& problem);

// Of packed sequences, each of which is a batch entry to masks and mods. Fails
// for offsets that do not cut the problem's axes.
ScoreShape ScoresOf(const ArgumentChecker& checker, const Problem& problem,
                    const SequenceOffsets& offsets);

// Adds the options to a problem that has its shapes. Fails for those that it
// cannot have.
void AddOptions(const ArgumentChecker& checker, const AttentionOptions& options,
                const ScoreShape& scores, Problem& problem);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_DOOR_CHECK_OPTIONS_H_
