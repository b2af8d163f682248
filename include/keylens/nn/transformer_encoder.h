#ifndef KEYLENS_NN_TRANSFORMER_ENCODER_H_
#define KEYLENS_NN_TRANSFORMER_ENCODER_H_

#include <keylens/nn/transformer_block.h>

namespace keylens::nn {

// Layers of self-attention: TransformerBlock under the name of its best known
// use.
using TransformerEncoderOptions = BlockOptions;
using TransformerEncoderCall = TransformerCall;
using TransformerEncoderLayerImpl = TransformerBlockImpl;
using TransformerEncoderLayer = TransformerBlock;
using TransformerEncoderImpl = TransformerStackImpl;
using TransformerEncoder = TransformerStack;

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_ENCODER_H_
