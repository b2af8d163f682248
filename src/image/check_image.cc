#include "src/image/check_image.h"

#include <stdexcept>
#include <string>

namespace keylens {

void CheckImage(const Image& image, const char* function) {
  const bool known =
      image.channels == 1 || image.channels == 3 || image.channels == 4;
  const bool filled = image.width > 0 && image.height > 0 &&
                      image.pixels.size() == std::size_t{1} * image.width *
                                                 image.height * image.channels;
  if (known && filled) return;
  throw std::invalid_argument(
      std::string(function) + ": " + std::to_string(image.pixels.size()) +
      " bytes for " + std::to_string(image.width) + " x " +
      std::to_string(image.height) + " pixels of " +
      std::to_string(image.channels) + " channels");
}

}  // namespace keylens
