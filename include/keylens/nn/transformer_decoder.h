#ifndef KEYLENS_NN_TRANSFORMER_DECODER_H_
#define KEYLENS_NN_TRANSFORMER_DECODER_H_

#include <keylens/nn/transformer_block.h>

namespace keylens::nn {

using TransformerDecoderOptions = BlockOptions;
using TransformerDecoderCall = TransformerCall;
using TransformerDecoderLayerImpl = TransformerBlockImpl;
using TransformerDecoderImpl = TransformerStackImpl;

// The options of a decoder: position i sees 0 to i of its own sequence and all
// of the memory.
inline BlockOptions DecoderOptions(BlockOptions options) {
  options.causal = options.cross_attention = true;
  return options;
}

// A TransformerBlock, and a stack of them, of DecoderOptions(options).
class TransformerDecoderLayer
    : public torch::nn::ModuleHolder<TransformerBlockImpl> {
 public:
  using torch::nn::ModuleHolder<TransformerBlockImpl>::ModuleHolder;
  explicit TransformerDecoderLayer(const BlockOptions& options)
      : ModuleHolder(
            std::make_shared<TransformerBlockImpl>(DecoderOptions(options))) {}
};

class TransformerDecoder
    : public torch::nn::ModuleHolder<TransformerStackImpl> {
 public:
  using torch::nn::ModuleHolder<TransformerStackImpl>::ModuleHolder;
  explicit TransformerDecoder(const BlockOptions& options)
      : ModuleHolder(
            std::make_shared<TransformerStackImpl>(DecoderOptions(options))) {}
};

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_DECODER_H_
