#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_EXAMPLE_ORDER_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_EXAMPLE_ORDER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace keylens::generator {

// Which picture is the n-th example of a run.
//
// The examples walk through the pictures by the golden ratio, so that any
// stretch of them, a batch or an epoch, visits every part of the set evenly. A
// motif with many variants ("waving hand", "waving hand, dark skin tone", ...)
// is visited as the square root of their number, lest the skin tones, half of
// the emoji, be half of the training.
class ExampleOrder {
 public:
  // One caption for each picture, at least one.
  ExampleOrder(const std::vector<std::string>& captions, uint64_t seed);

  std::size_t PictureOf(uint64_t example) const;

 private:
  std::vector<std::size_t> pictures_;  // shuffled
  std::vector<double> cumulative_;     // in (0, 1], of pictures_
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_EXAMPLE_ORDER_H_
