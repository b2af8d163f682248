/* keylens/keylens.h: the engine from C.
 *
 * Causal attention over 50 tokens with two heads; beside the output, how widely
 * each query looks and its three heaviest keys. The same is computed with plain
 * loops, and compared. */

#include <keylens/keylens.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kHeads = 2, kLen = 50, kDim = 16, kTop = 3 };

/* [head][token][channel], which is a dense [1, heads, len, dim]. */
static float query[kHeads][kLen][kDim], key[kHeads][kLen][kDim];
static float value[kHeads][kLen][kDim], out[kHeads][kLen][kDim];
static float entropy[kHeads][kLen];
static int64_t top_keys[kHeads][kLen][kTop];

/* Ends the program where a call failed. */
static void check(keylens_status status) {
  if (status == KEYLENS_OK) return;
  fprintf(stderr, "%s\n", keylens_last_error());
  exit(1);
}

/* About normal: the sum of 12 uniform numbers, less its mean. */
static float random_normal(void) {
  static uint32_t state = 1;
  float sum = -6;
  for (int i = 0; i < 12; ++i) {
    state = state * 1664525u + 1013904223u;
    sum += (float)(state >> 8) / 16777216.0f;
  }
  return sum;
}

static void draw_tensors(void) {
  for (int h = 0; h < kHeads; ++h) {
    for (int i = 0; i < kLen; ++i) {
      for (int d = 0; d < kDim; ++d) {
        query[h][i][d] = 2 * random_normal();
        key[h][i][d] = random_normal();
        value[h][i][d] = random_normal();
      }
    }
  }
}

static keylens_tensor tensor(const void* data) {
  return keylens_dense_4(data, 1, kHeads, kLen, kDim);
}

static void attend(void) {
  keylens_mask* causal;
  check(keylens_causal_mask(KEYLENS_BOTTOM_RIGHT, &causal));
  keylens_options* options;
  check(keylens_options_create(&options));
  check(keylens_options_set_mask(options, causal));
  keylens_mask_destroy(causal); /* the options hold it */

  const keylens_attention_inputs inputs = {tensor(query), tensor(key),
                                           tensor(value)};
  keylens_attention_outputs outputs = {0}; /* logsumexp: none */
  outputs.out = tensor(out);
  keylens_inspection look = keylens_inspection_of_nothing();
  look.entropy = keylens_dense_3(entropy, 1, kHeads, kLen);
  look.top_keys = keylens_dense_4(top_keys, 1, kHeads, kLen, kTop);
  check(keylens_attention_forward(KEYLENS_FLOAT32, &inputs, options, &outputs,
                                  &look));

  /* What does not fit is refused, and said. */
  outputs.out.shape[2] = kLen - 1;
  if (keylens_attention_forward(KEYLENS_FLOAT32, &inputs, options, &outputs,
                                NULL) != KEYLENS_INVALID_ARGUMENT) {
    fprintf(stderr, "an output of the wrong shape was taken\n");
    exit(1);
  }
  printf("refused: %s\n", keylens_last_error());
  keylens_options_destroy(options);
}

/* Writes the weights of one query; those of later keys are 0. */
static void plain_weights(int head, int i, double weights[kLen]) {
  double max = -INFINITY, sum = 0;
  for (int j = 0; j <= i; ++j) {
    double dot = 0;
    for (int d = 0; d < kDim; ++d)
      dot += (double)query[head][i][d] * key[head][j][d];
    weights[j] = dot / sqrt(kDim);
    max = fmax(max, weights[j]);
  }
  for (int j = 0; j <= i; ++j) sum += weights[j] = exp(weights[j] - max);
  for (int j = 0; j < kLen; ++j) weights[j] = j <= i ? weights[j] / sum : 0;
}

/* Whether output, entropy and top keys of one query follow from its weights. */
static int agrees(int head, int i, const double weights[kLen]) {
  double nats = 0;
  for (int j = 0; j <= i; ++j)
    nats -= weights[j] > 0 ? weights[j] * log(weights[j]) : 0;
  if (!(fabs(entropy[head][i] - nats) < 1e-4)) return 0;
  for (int d = 0; d < kDim; ++d) {
    double mean = 0;
    for (int j = 0; j <= i; ++j) mean += weights[j] * value[head][j][d];
    if (!(fabs(out[head][i][d] - mean) < 1e-4)) return 0;
  }
  for (int k = 0; k < kTop; ++k) {
    const int64_t top = top_keys[head][i][k];
    if (k > i ? top != -1 : top < 0 || top > i) return 0;
    for (int before = 0; k <= i && before < k; ++before)
      if (top_keys[head][i][before] == top) return 0;
    int heavier = 0; /* by more than rounding */
    for (int j = 0; k <= i && j <= i; ++j)
      heavier += weights[j] > weights[top] * 1.0001;
    if (heavier > k) return 0;
  }
  return 1;
}

int main(void) {
  draw_tensors();
  attend();
  int wrong = 0;
  for (int h = 0; h < kHeads; ++h) {
    for (int i = 0; i < kLen; ++i) {
      double weights[kLen];
      plain_weights(h, i, weights);
      wrong += !agrees(h, i, weights);
    }
  }
  const int last = kLen - 1;
  printf("query %d: entropy %.2f nats, keys %d, %d and %d\n", last,
         entropy[0][last], (int)top_keys[0][last][0], (int)top_keys[0][last][1],
         (int)top_keys[0][last][2]);
  printf("%d of %d queries differ from plain loops\n", wrong, kHeads * kLen);
  return wrong == 0 ? 0 : 1;
}
