#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_DATA_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_DATA_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "systems/generator/emoji/emoji_list.h"
#include "systems/generator/emoji/split.h"

namespace keylens {

struct EmojiDataOptions {
  // Where Debian's unicode-data and unicode-cldr-core put Unicode's files.
  std::filesystem::path unicode_folder = "/usr/share/unicode";
};

// One picture of the data set, before it is drawn.
struct EmojiPicture {
  Emoji emoji;
  std::string file_name;              // "1f469-200d-1f692.png": its code points
  std::string caption;                // "woman firefighter"; unique in the set
  std::vector<std::string> keywords;  // other words for it; may be empty
  std::optional<HeldOut> held_out;    // nothing for a picture to train on
};

// Every emoji of Unicode's list with its caption, keywords and part of the
// split, in the list's order. Throws Error, naming the file and the Debian
// package, when one of Unicode's files is missing or unreadable.
std::vector<EmojiPicture> ListEmojiPictures(
    const EmojiDataOptions& options = {});

struct EmojiDataSummary {
  int train = 0;
  int held_out = 0;
  std::vector<std::string> not_drawn;  // captions that the font lacks
};

// Called after each picture.
using ProgressCallback = std::function<void(int done, int total)>;

// Draws the data set into `folder`, which is made where it does not exist: one
// picture (64 x 64, RGBA) for each emoji that the font draws as one glyph, and
// metadata.jsonl with an object on each line: file_name, text (the caption),
// keywords, emoji, group, split ("train" or "held_out") and, for a held-out
// picture, kind. An older metadata.jsonl is removed first and the new one
// appears last, whole: a run that fails or is stopped leaves no data set.
// Throws Error for a missing font or file, a full disk, an unwritable folder.
EmojiDataSummary WriteEmojiData(const std::filesystem::path& folder,
                                const EmojiDataOptions& options = {},
                                const ProgressCallback& progress = {});

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_EMOJI_DATA_H_
