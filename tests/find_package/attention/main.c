/* Two keys with equal scores: the output is the mean of their values. */

#include <keylens/keylens.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  const float query[2] = {1, 2};
  const float key[4] = {3, 4, 3, 4};
  const float value[2] = {10, 20};
  float out[1] = {0};
  const keylens_attention_inputs inputs = {keylens_dense_4(query, 1, 1, 1, 2),
                                           keylens_dense_4(key, 1, 1, 2, 2),
                                           keylens_dense_4(value, 1, 1, 2, 1)};
  keylens_attention_outputs outputs = {0};
  outputs.out = keylens_dense_4(out, 1, 1, 1, 1);
  if (keylens_attention_forward(KEYLENS_FLOAT32, &inputs, NULL, &outputs,
                                NULL) != KEYLENS_OK) {
    fprintf(stderr, "%s\n", keylens_last_error());
    return 1;
  }
  printf("%g\n", out[0]);
  return fabs(out[0] - 15) < 1e-5 ? 0 : 1;
}
