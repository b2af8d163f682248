#ifndef KEYLENS_SYSTEMS_GENERATOR_DATA_CAPTIONS_H_
#define KEYLENS_SYSTEMS_GENERATOR_DATA_CAPTIONS_H_

#include <string>

#include "src/random/random.h"
#include "systems/generator/data/picture_set.h"

namespace keylens::generator {

// What training tells the model about a picture: most often its caption; else
// the caption as somebody else might type it (an article in front, the parts
// between commas in another order, without punctuation, with a keyword), or two
// of its keywords. An empty text with probability `dropout`, for
// classifier-free guidance.
std::string TrainingCaption(const CaptionedPicture& picture, double dropout,
                            Random& random);

// The part of a caption before its first comma or colon, which the variants of
// one motif share: "waving hand" of "waving hand, dark skin tone".
std::string MotifOf(const std::string& caption);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_DATA_CAPTIONS_H_
