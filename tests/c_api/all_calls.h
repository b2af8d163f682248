#ifndef KEYLENS_TESTS_C_API_ALL_CALLS_H_
#define KEYLENS_TESTS_C_API_ALL_CALLS_H_

#include <keylens/keylens.h>

#include <cstdint>

#include "tests/c_api/call.h"

namespace keylens {

// A right call of every function; each test makes one thing of it wrong.
struct AllCalls {
  AllCalls() {
    const keylens_key_value_cache_options of_cache = {
        .num_kv_heads = 2,
        .head_dim = 12,
        .value_dim = 7,
        .element = KEYLENS_FLOAT32,
        .page_len = 64};
    keylens_key_value_cache* made = nullptr;
    EXPECT_TRUE(Ok(keylens_key_value_cache_create(&of_cache, &made)));
    cache.reset(made);
    for (int64_t& sequence : sequences)
      EXPECT_TRUE(Ok(keylens_key_value_cache_add(made, &sequence)));
  }

  keylens_status Forward() {
    return keylens_attention_forward(element, &inputs, options.get(), &outputs,
                                     &look);
  }
  keylens_status Backward() {
    return keylens_attention_backward(element, &inputs, options.get(), &outputs,
                                      &out_grad, &gradients);
  }
  keylens_status Inspect() {
    return keylens_attention_inspect(element, &inputs, options.get(),
                                     &outputs.logsumexp, &look);
  }
  keylens_status Merge() {
    return keylens_merge_attention(element, &part, 1, &outputs, 1);
  }
  keylens_status ForwardPacked() {
    return keylens_attention_forward_packed(element, &inputs, &offsets,
                                            options.get(), &outputs);
  }
  keylens_status BackwardPacked() {
    return keylens_attention_backward_packed(element, &inputs, &offsets,
                                             options.get(), &outputs, &out_grad,
                                             &gradients);
  }
  keylens_status Append() {
    return keylens_key_value_cache_append(cache.get(), sequences[0], element,
                                          &new_key, &new_value);
  }
  keylens_status Decode() {
    return keylens_attention_decode(element, &inputs.query, cache.get(),
                                    sequences, 2, options.get(), &outputs);
  }

  // Makes the batch 1, as packed sequences need it.
  void Pack() {
    for (keylens_tensor* tensor :
         {&inputs.query, &inputs.key, &inputs.value, &outputs.out,
          &outputs.logsumexp, &out_grad, &gradients.query, &gradients.key,
          &gradients.value}) {
      tensor->shape[0] = 1;
    }
    gradients.relevance = {};
  }

  Call<float> call, other{2};
  Owned<keylens_options> options = NewOptions();
  Owned<keylens_key_value_cache> cache;
  keylens_element element = KEYLENS_FLOAT32;
  keylens_attention_inputs inputs = call.c_inputs();
  keylens_attention_outputs outputs = call.c_outputs();
  keylens_attention_outputs part = other.c_outputs();
  keylens_inspection look = call.c_inspection();
  keylens_tensor out_grad = InC(call.out_grad.view());
  keylens_attention_gradients gradients = call.c_gradients();
  int64_t query_offsets[3] = {0, 20, 61}, key_offsets[3] = {0, 150, 300};
  keylens_sequence_offsets offsets = {query_offsets, key_offsets, 2};
  int64_t sequences[2] = {};
  keylens_tensor new_key =
      keylens_dense_3(other.key_grad.view().data, 2, 3, 12);
  keylens_tensor new_value =
      keylens_dense_3(other.value_grad.view().data, 2, 3, 7);
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_C_API_ALL_CALLS_H_
