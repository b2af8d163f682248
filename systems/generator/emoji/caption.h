#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_CAPTION_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_CAPTION_H_

#include <string>
#include <string_view>

namespace keylens {

// Unicode's short name of an emoji as a person would type it: "woman
// firefighter: dark skin tone" becomes "woman firefighter, dark skin tone",
// "flag: Åland Islands" "flag of Åland Islands", "keycap: 4" "keycap 4", and
// the signs that keyboards lack (’ “ ” &) become ' " and the word "and".
// Different names stay different.
std::string CaptionOf(std::string_view short_name);

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_CAPTION_H_
