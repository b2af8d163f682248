#include <keylens/packed_sequences.h>

#include <string>

#include "src/c_api/call_structs.h"
#include "src/c_api/handles.h"

namespace keylens::c_api {
namespace {

SequenceOffsets ToOffsets(const keylens_sequence_offsets* offsets) {
  const keylens_sequence_offsets& from = Required("offsets", offsets);
  if (from.num_sequences < 0) {
    throw InvalidCall("num_sequences is " + std::to_string(from.num_sequences));
  }
  return {Array("query of offsets", from.query, from.num_sequences + 1),
          Array("key of offsets", from.key, from.num_sequences + 1)};
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::Guarded;
using keylens::c_api::Required;
using keylens::c_api::ToInputs;
using keylens::c_api::ToOffsets;
using keylens::c_api::ToOptions;
using keylens::c_api::ToOutputs;
using keylens::c_api::WithElement;

extern "C" {

keylens_status keylens_attention_forward_packed(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_sequence_offsets* offsets, const keylens_options* options,
    const keylens_attention_outputs* outputs) {
  const auto body = [&]<typename T>(T /*element*/) {
    keylens::AttentionForwardPacked(ToInputs<T>(inputs), ToOffsets(offsets),
                                    ToOptions(options),
                                    ToOutputs<T>("outputs", outputs));
  };
  return Guarded("keylens_attention_forward_packed",
                 [&] { WithElement(element, body); });
}

keylens_status keylens_attention_backward_packed(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_sequence_offsets* offsets, const keylens_options* options,
    const keylens_attention_outputs* forward, const keylens_tensor* out_grad,
    const keylens_attention_gradients* gradients) {
  const auto body = [&]<typename T>(T /*element*/) {
    keylens::AttentionBackwardPacked(
        ToInputs<T>(inputs), ToOffsets(offsets), ToOptions(options),
        ToOutputs<T>("forward", forward),
        keylens::c_api::ToView<const T, 4>("out_grad",
                                           Required("out_grad", out_grad)),
        keylens::c_api::ToGradients<T>(gradients));
  };
  return Guarded("keylens_attention_backward_packed",
                 [&] { WithElement(element, body); });
}

}  // extern "C"
