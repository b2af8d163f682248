#ifndef KEYLENS_SRC_C_API_CALL_STRUCTS_H_
#define KEYLENS_SRC_C_API_CALL_STRUCTS_H_

#include <keylens/attention.h>
#include <keylens/inspection.h>
#include <keylens/keylens.h>

#include "src/c_api/boundary.h"
#include "src/c_api/tensors.h"

// The structs of a call: from C's to the engine's. Parameters are pointers as
// the caller gave them; a null is an InvalidCall.

namespace keylens::c_api {

enum class Needed { kYes, kNo };

template <typename T>
AttentionInputs<T> ToInputs(const keylens_attention_inputs* inputs,
                            Needed value = Needed::kYes) {
  const keylens_attention_inputs& from = Required("inputs", inputs);
  AttentionInputs<T> to;
  to.query = ToView<const T, 4>("query", from.query);
  to.key = ToView<const T, 4>("key", from.key);
  to.value = value == Needed::kYes
                 ? ToView<const T, 4>("value", from.value)
                 : ToOptionalView<const T, 4>("value", from.value);
  return to;
}

// `name` is the parameter's.
template <typename T>
AttentionOutputs<T> ToOutputs(const char* name,
                              const keylens_attention_outputs* outputs) {
  const keylens_attention_outputs& from = Required(name, outputs);
  return {ToView<T, 4>("out", from.out),
          ToOptionalView<float, 3>("logsumexp", from.logsumexp)};
}

template <typename T>
AttentionGradients<T> ToGradients(
    const keylens_attention_gradients* gradients) {
  const keylens_attention_gradients& from = Required("gradients", gradients);
  AttentionGradients<T> to;
  to.query = ToOptionalView<T, 4>("the gradient of query", from.query);
  to.key = ToOptionalView<T, 4>("the gradient of key", from.key);
  to.value = ToOptionalView<T, 4>("the gradient of value", from.value);
  to.sinks = ToOptionalView<float, 1>("the gradient of sinks", from.sinks);
  to.query_group =
      Array("query_group", from.query_group, from.query_group_size);
  to.key_group = Array("key_group", from.key_group, from.key_group_size);
  to.relevance = ToOptionalView<float, 4>("relevance", from.relevance);
  return to;
}

Inspection ToInspection(const keylens_inspection& inspection);

}  // namespace keylens::c_api

#endif  // KEYLENS_SRC_C_API_CALL_STRUCTS_H_
