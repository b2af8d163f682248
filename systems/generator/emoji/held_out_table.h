#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_HELD_OUT_TABLE_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_HELD_OUT_TABLE_H_

#include <optional>
#include <string_view>

#include "systems/generator/emoji/split.h"

namespace keylens {

// The held-out emoji that are listed one by one: coloured shapes, clocks,
// families and the like. `sequence` has no variation selectors. Nothing when it
// is not in the list.
std::optional<HeldOut> FindInHeldOutTable(std::u32string_view sequence);

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_HELD_OUT_TABLE_H_
