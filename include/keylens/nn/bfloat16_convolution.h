#ifndef KEYLENS_NN_BFLOAT16_CONVOLUTION_H_
#define KEYLENS_NN_BFLOAT16_CONVOLUTION_H_

namespace keylens::nn {

// Whether this CPU multiplies bfloat16 (AVX512_BF16, AMX) and libtorch has
// oneDNN to use it: convolutions of bfloat16 maps then take about half the
// time.
bool HasBFloat16Convolution();

}  // namespace keylens::nn

#endif  // KEYLENS_NN_BFLOAT16_CONVOLUTION_H_
