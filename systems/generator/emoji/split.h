#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_SPLIT_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_SPLIT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// The rule that keeps some emoji out of training, described in
// docs/emoji-data.md. It depends on the code points alone: not on the font, on
// the other emoji of the list, on names or on the platform.

// Something that a held-out picture shows, and the emoji of the training set
// that show it too. Each `shown_by` is a sequence without variation selectors;
// not all of them need exist.
struct Part {
  std::string what;  // "the role", "the skin tone"
  std::vector<std::u32string> shown_by;
};

// A held-out emoji is a combination of parts.
struct HeldOut {
  std::string kind;  // "role, gender and skin tone"
  std::vector<Part> parts;
};

// Why `sequence` (with or without variation selectors) is held out; nothing
// when it is for training.
std::optional<HeldOut> FindHeldOut(std::u32string_view sequence);

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_SPLIT_H_
