#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DATA_CIFAR_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DATA_CIFAR_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "systems/classifier/data/dataset.h"

namespace keylens::classifier {

inline constexpr int kCifarSize = 32;  // pixels along each side

// The records of a file of CIFAR-10's binary version: a byte for the class,
// then the planes of red, green and blue, row by row
// (https://www.cs.toronto.edu/~kriz/cifar.html). Throws Error, starting with
// `name`, where the bytes are no whole number of records or a class is not
// below `classes`. Any bytes are safe to pass.
void VisitCifarRecords(std::string_view bytes, const std::string& name,
                       int32_t classes, const PictureSink& sink);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DATA_CIFAR_H_
