#ifndef KEYLENS_SRC_IMAGE_FRAMING_H_
#define KEYLENS_SRC_IMAGE_FRAMING_H_

#include <cstdint>

#include "src/image/image.h"

namespace keylens {

inline constexpr int64_t kMaxImageSize = 512;  // pixels along each side
inline constexpr std::size_t kMaxClasses = 1 << 16;

// What a model's pictures stand on.
enum class Ground {
  kAny,   // whatever the picture has: photographs of scenes
  kDark,  // black: a bright thing cut out, as in MNIST and Fashion-MNIST
};

// How a picture of any size becomes the square that a network sees.
struct Framing {
  int size = 32;     // pixels along each side of the square
  int content = 32;  // the longer side of the picture within it
  int channels = 1;  // 1 grey, 3 RGB
  Ground ground = Ground::kAny;
};

// The picture over white paper, grey or RGB, brought to the size of the
// content with its aspect kept, in the middle of a black square.
//
// For a dark ground what Fashion-MNIST's makers did to photographs comes first
// (Xiao, Rasul, Vollgraf: Fashion-MNIST, section 2): a picture whose corners
// are bright is negated, and edges whose colour is within 5 % of the corners'
// are cut off. A picture that is as large as the content already, and dark in
// its corners, is one of the set's own and is taken as it is.
//
// `detail` draws the same square with so many times the pixels along each side:
// what the network sees, for people to look at.
Image Frame(const Image& image, const Framing& framing, int detail = 1);

}  // namespace keylens

#endif  // KEYLENS_SRC_IMAGE_FRAMING_H_
