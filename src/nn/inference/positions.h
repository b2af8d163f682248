#ifndef KEYLENS_SRC_NN_INFERENCE_POSITIONS_H_
#define KEYLENS_SRC_NN_INFERENCE_POSITIONS_H_

#include <cstdint>
#include <vector>

namespace keylens::nn {

// The values of SinusoidalPositions (keylens/nn/position_encoding.h): [len,
// dim], of each position first the sines, then the cosines. `dim` is even.
std::vector<float> SinusoidalTable(int64_t len, int64_t dim,
                                   double max_period = 10000);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_POSITIONS_H_
