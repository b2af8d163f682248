#include "src/models/keylens_translator/tensors.h"

#include "src/weights/tensor_list.h"

namespace keylens::translator {

std::vector<TensorSpec> TensorsOf(const TranslatorConfig& config) {
  TensorList list;
  list.Add("embedding.weight", {config.vocab_size, config.hidden_size});
  list.EncoderStack("encoder", config.encoder_layers, config.hidden_size,
                    config.mlp_size);
  list.DecoderStack("decoder", config.decoder_layers, config.hidden_size,
                    config.mlp_size);
  return list.Take();
}

}  // namespace keylens::translator
