#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_LIST_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_LIST_H_

#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// One emoji of Unicode's list.
struct Emoji {
  std::u32string sequence;  // its code points, fully qualified
  std::string group;        // "People & Body"
  std::string subgroup;     // "person-role"
  std::string name;         // "woman firefighter: medium skin tone"
};

// The fully qualified emoji of `text`, the content of Unicode's emoji-test.txt,
// in the file's order. Throws Error with `file_name` and the line for a line
// that is not in the file's format, and when there is no emoji at all.
std::vector<Emoji> ParseEmojiList(std::string_view text,
                                  const std::string& file_name);

// The sequence as UTF-8.
std::string ToUtf8(std::u32string_view sequence);

// The sequence without variation selectors (U+FE0F), which say "as a picture,
// not as a letter": the form in which CLDR lists emoji, and under which the
// split knows them.
std::u32string WithoutVariationSelectors(std::u32string_view sequence);

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_LIST_H_
