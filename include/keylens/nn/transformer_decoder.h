#ifndef KEYLENS_NN_TRANSFORMER_DECODER_H_
#define KEYLENS_NN_TRANSFORMER_DECODER_H_

#include <keylens/nn/transformer_block.h>

#include <cstddef>
#include <memory>
#include <utility>

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

// A TransformerBlock, and a stack of them, of DecoderOptions(options). The
// constructors of ModuleHolder are not inherited: one of them takes anything,
// and would make a module of the options as they are.
class TransformerDecoderLayer
    : public torch::nn::ModuleHolder<TransformerBlockImpl> {
 public:
  TransformerDecoderLayer(std::nullptr_t) : ModuleHolder(nullptr) {}
  TransformerDecoderLayer(std::shared_ptr<TransformerBlockImpl> module)
      : ModuleHolder(std::move(module)) {}
  explicit TransformerDecoderLayer(const BlockOptions& options)
      : ModuleHolder(
            std::make_shared<TransformerBlockImpl>(DecoderOptions(options))) {}
};

class TransformerDecoder
    : public torch::nn::ModuleHolder<TransformerStackImpl> {
 public:
  TransformerDecoder(std::nullptr_t) : ModuleHolder(nullptr) {}
  TransformerDecoder(std::shared_ptr<TransformerStackImpl> module)
      : ModuleHolder(std::move(module)) {}
  explicit TransformerDecoder(const BlockOptions& options)
      : ModuleHolder(
            std::make_shared<TransformerStackImpl>(DecoderOptions(options))) {}
};

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_DECODER_H_
