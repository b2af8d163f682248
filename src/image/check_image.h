#ifndef KEYLENS_SRC_IMAGE_CHECK_IMAGE_H_
#define KEYLENS_SRC_IMAGE_CHECK_IMAGE_H_

#include "src/image/image.h"

namespace keylens {

// Throws std::invalid_argument, starting with the function's name, unless the
// picture has pixels, and as many as its sizes and channels say.
void CheckImage(const Image& image, const char* function);

}  // namespace keylens

#endif  // KEYLENS_SRC_IMAGE_CHECK_IMAGE_H_
