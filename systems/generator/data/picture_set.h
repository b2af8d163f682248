#ifndef KEYLENS_SYSTEMS_GENERATOR_DATA_PICTURE_SET_H_
#define KEYLENS_SYSTEMS_GENERATOR_DATA_PICTURE_SET_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "src/base/note_sink.h"
#include "src/image/image.h"

namespace keylens::generator {

struct CaptionedPicture {
  std::string file_name;
  std::string text;                   // the caption
  std::vector<std::string> keywords;  // what else it may be called
  bool held_out = false;              // never trained on
  Image image;                        // RGBA, size x size
};

// Reads the captioned pictures of `folder` and brings each to size x size RGBA
// by an antialiased resize. The captions are those of metadata.jsonl (one
// object a line: `file_name`, `text`, and where given `keywords` and `split`,
// of which "held_out" or "test" keeps a picture from training), or, where there
// is no such file, of x.txt beside x.png (.jpg, .jpeg, .webp). In the order of
// metadata.jsonl, or sorted by name.
//
// What cannot be read is named to `note` and left out; Error when nothing is
// left, or when there is no caption at all.
std::vector<CaptionedPicture> ReadPictureSet(
    const std::filesystem::path& folder, int size, const NoteSink& note);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_DATA_PICTURE_SET_H_
