#ifndef KEYLENS_NN_BLOCK_OPTIONS_H_
#define KEYLENS_NN_BLOCK_OPTIONS_H_

#include <cstdint>
#include <stdexcept>
#include <string>

// What a Transformer's layers are made of: one definition, which two executors
// follow, TransformerBlock (torch; trains) and the one of inference. No torch.

namespace keylens::nn {

enum class NormPlacement {
  kPre,   // x + branch(norm(x))
  kPost,  // norm(x + branch(x))
};

// Of the feed-forward branch. Those from kGeglu on are gated: linear1 has twice
// the columns, [value | gate] for kGeglu, as Stable Diffusion's files have it,
// and [gate | value] for kSwiglu, as DINOv2's have it.
enum class Activation {
  kRelu,
  kGelu,       // x Phi(x), Phi the normal distribution function
  kGeluTanh,   // x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
  kQuickGelu,  // x sigmoid(1.702 x)
  kSilu,       // x sigmoid(x), also known as swish
  kGeglu,      // value * gelu(gate)
  kSwiglu,     // silu(gate) * value
};

inline bool IsGated(Activation activation) {
  return activation == Activation::kGeglu || activation == Activation::kSwiglu;
}

// A layer is self-attention, then cross-attention where there is such, then
// linear2(activation(linear1(x))), each a branch that is added to what it was
// made of.
struct BlockOptions {
  int64_t hidden_size = 0;
  int64_t num_heads = 0;
  int64_t head_dim = 0;    // 0: hidden_size / num_heads
  int64_t mlp_size = 0;    // 0: 4 * hidden_size; behind the gate where gated
  int64_t num_layers = 0;  // of a stack; a single layer ignores it

  NormPlacement norm = NormPlacement::kPre;
  bool final_norm = true;  // of a stack, behind its last layer
  double eps = 1e-5;       // of every normalisation
  Activation activation = Activation::kGelu;

  bool qkv_bias = true;     // of queries, keys and values
  bool output_bias = true;  // of the projections behind attention
  bool mlp_bias = true;

  // A factor for each column of each branch, learnt (LayerScale; Touvron et
  // al.: Going deeper with image transformers), that starts as `layer_scale`;
  // 0: none.
  double layer_scale = 0;

  bool causal = false;           // position i sees 0 to i
  bool cross_attention = false;  // to a memory
  int64_t memory_size = 0;       // columns of the memory; 0: hidden_size

  double dropout = 0;  // of all branches, while training
};

// The options with their zeros replaced by what they stand for. Throws
// std::invalid_argument for sizes that no layer can have.
inline BlockOptions Settled(BlockOptions options) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(
        "BlockOptions: hidden_size " + std::to_string(options.hidden_size) +
        ", num_heads " + std::to_string(options.num_heads) + ": " + what);
  };
  if (options.hidden_size <= 0 || options.num_heads <= 0)
    refuse("must be positive");
  if (options.head_dim == 0) {
    if (options.hidden_size % options.num_heads != 0)
      refuse("one is no multiple of the other, and no head_dim is given");
    options.head_dim = options.hidden_size / options.num_heads;
  }
  if (options.mlp_size == 0) options.mlp_size = 4 * options.hidden_size;
  if (options.memory_size == 0) options.memory_size = options.hidden_size;
  if (options.head_dim < 0 || options.mlp_size < 0 || options.memory_size < 0 ||
      options.num_layers < 0)
    refuse("a size is negative");
  return options;
}

// A range of the rows of each sequence; an end below 0 is that of the sequence.
struct RowRange {
  int64_t begin = 0;
  int64_t end = -1;

  bool all() const { return begin == 0 && end < 0; }
};

}  // namespace keylens::nn

#endif  // KEYLENS_NN_BLOCK_OPTIONS_H_
