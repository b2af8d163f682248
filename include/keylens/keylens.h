#ifndef KEYLENS_KEYLENS_H_
#define KEYLENS_KEYLENS_H_

#include <stdint.h>

// The C API of the engine: everything of keylens/engine.h, for C99 and for
// whatever calls C. What is computed, and what each corner gives, is said in
// the C++ header of the same subject, named at each part below; here is what is
// different in C.
//
// The library is written in C++: link a program with the C++ compiler.
//
// Status and errors. Functions that can fail return a keylens_status; results
// come through pointers. No exception leaves the library, with this header in C
// or in C++. keylens_last_error() says what was wrong: one line, which starts
// with the name of the C function and quotes the shapes. Invalid arguments are
// found before any work, with no output touched; what a caller's own callback
// does wrong, while the call runs.
//
// Pointers. A pointer may be null only where that is said.
//
// Handles (keylens_mask and so on) are made by a function whose last parameter
// receives the handle, or null where it fails, and given back to a *_destroy
// function, which takes null too. What is made of a handle keeps what it needs:
// a mask may be destroyed as soon as options hold it. Memory that tensors
// describe is never owned and never copied unless that is said.
//
// Threads. All functions may be called from several threads at once; a handle
// may be used by several calls, but changed (keylens_options_set_*,
// keylens_key_value_cache_append, ...) by one thread while no other uses it.

#ifdef __cplusplus
extern "C" {
#endif

// Constants are integers of a fixed size, so that a value that is none of them
// is an invalid argument and nothing worse.

typedef int32_t keylens_status;
enum {
  KEYLENS_OK = 0,
  KEYLENS_INVALID_ARGUMENT = 1,
  KEYLENS_OUT_OF_MEMORY = 2,
  KEYLENS_INTERNAL_ERROR = 3  // a bug, or a callback that threw
};

// What the last call of this thread that failed said; "" before any has.
// Belongs to the library and stays until the next failure on this thread.
const char* keylens_last_error(void);

// --- Tensors (keylens/tensor_view.h, keylens/small_float.h) ---

// The type of a tensor's elements, in the machine's byte order. The arithmetic
// is float's for all of them.
typedef int32_t keylens_element;
enum {
  KEYLENS_FLOAT32 = 0,
  KEYLENS_BFLOAT16 = 1,  // 1 sign, 8 exponent, 7 mantissa bits
  KEYLENS_FLOAT16 = 2,   // IEEE 754 binary16
  KEYLENS_INT8 = 3       // how a KeyValueCache may store, nothing else
};

// A window on the caller's memory, from keylens_dense_* or filled in field by
// field. Only the first `rank` entries of shape and strides count. Strides
// count elements, not bytes: 0 broadcasts an axis, a negative one walks it
// backwards, with `data` at the element whose indices are all 0. A tensor of
// zeros is "none", where one may be left out.
typedef struct keylens_tensor {
  void* data;  // not written where the tensor is an input
  int32_t rank;
  int64_t shape[4];
  int64_t strides[4];
} keylens_tensor;

// Tells gcc, which warns otherwise, that the memory of an output may be
// uninitialised.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define KEYLENS_NOT_READ __attribute__((access(none, 1)))
#else
#define KEYLENS_NOT_READ
#endif

// Dense row-major tensors of 1 to 4 axes. `data` is const for the sake of
// inputs; the memory of an output must be writable.
KEYLENS_NOT_READ keylens_tensor keylens_dense_1(const void* data, int64_t n0);
KEYLENS_NOT_READ keylens_tensor keylens_dense_2(const void* data, int64_t n0,
                                                int64_t n1);
KEYLENS_NOT_READ keylens_tensor keylens_dense_3(const void* data, int64_t n0,
                                                int64_t n1, int64_t n2);
KEYLENS_NOT_READ keylens_tensor keylens_dense_4(const void* data, int64_t n0,
                                                int64_t n1, int64_t n2,
                                                int64_t n3);

// 16-bit elements: exact to float, rounded to nearest (ties to even) from it.
uint16_t keylens_bfloat16_from_float(float value);
float keylens_bfloat16_to_float(uint16_t bits);
uint16_t keylens_float16_from_float(float value);
float keylens_float16_to_float(uint16_t bits);

// --- Masks (keylens/mask.h) ---

typedef struct keylens_mask keylens_mask;

void keylens_mask_destroy(keylens_mask* mask);

// Which key a query stands beside: query i key i, or key i + kv_len -
// query_len, so that the last query stands beside the last key.
typedef int32_t keylens_alignment;
enum { KEYLENS_TOP_LEFT = 0, KEYLENS_BOTTOM_RIGHT = 1 };

// The key a query stands beside and all before it.
keylens_status keylens_causal_mask(keylens_alignment alignment,
                                   keylens_mask** mask);

// From `left` keys before the one a query stands beside to `right` keys after
// it; -1 is no limit on that side.
keylens_status keylens_sliding_window_mask(int64_t left, int64_t right,
                                           keylens_alignment alignment,
                                           keylens_mask** mask);

// The keys [0, prefix) for all, causal (KEYLENS_TOP_LEFT) beyond.
keylens_status keylens_prefix_mask(int64_t prefix, keylens_mask** mask);

// Keys whose document is the query's. query_document has query_len entries and
// key_document kv_len; both are copied, and may be null where there are none.
keylens_status keylens_document_mask(const int32_t* query_document,
                                     int64_t query_len,
                                     const int32_t* key_document,
                                     int64_t kv_len, keylens_mask** mask);

// In batch entry b the keys [0, live_keys[b]). Copied; null where batch is 0.
keylens_status keylens_key_padding_mask(const int64_t* live_keys, int64_t batch,
                                        keylens_mask** mask);

// live: [batch, num_heads, query_len, kv_len], true where the key is live; axes
// of length 1 broadcast. Elements are C's bool (_Bool, as <stdbool.h> has it),
// a byte that holds 0 or 1 and nothing else. Not copied: must stay during every
// call that uses the mask.
keylens_status keylens_dense_mask(const keylens_tensor* live,
                                  keylens_mask** mask);

// Where all `count` masks say live. Null where there are none.
keylens_status keylens_all_of(const keylens_mask* const* masks, int64_t count,
                              keylens_mask** mask);

// The axes of the whole score tensor of one call; num_heads is the query's.
typedef struct keylens_score_shape {
  int64_t batch;
  int64_t num_heads;
  int64_t query_len;
  int64_t kv_len;
} keylens_score_shape;

// Where a tile of scores lies: one batch entry and query head, num_queries rows
// and num_keys keys.
typedef struct keylens_tile_coord {
  int64_t batch;
  int64_t head;
  int64_t first_query;
  int64_t num_queries;
  int64_t first_key;
  int64_t num_keys;
  int64_t query_len;
  int64_t kv_len;
} keylens_tile_coord;

// Row i is the coord.num_keys floats from data + i * row_stride. Nothing
// between two rows may be touched.
typedef struct keylens_score_tile {
  float* data;
  int64_t row_stride;
  keylens_tile_coord coord;
} keylens_score_tile;

typedef int32_t keylens_tile_class;
enum {
  KEYLENS_TILE_EMPTY = 0,    // no key live: skipped
  KEYLENS_TILE_PARTIAL = 1,  // always right
  KEYLENS_TILE_FULL = 2      // all live: apply is not called
};

// A mask of the caller's own; set what is not needed to 0. All but `destroy`
// are called from several threads at once, and must give the same answer for a
// coordinate each time.
typedef struct keylens_mask_functions {
  void* context;  // handed to every function

  // Null: every tile is partial.
  keylens_tile_class (*classify)(void* context,
                                 const keylens_tile_coord* coord);

  // Sets the scores of masked keys to -INFINITY and leaves the others alone.
  void (*apply)(void* context, const keylens_score_tile* scores);

  // Why the mask cannot be used with scores of that shape, or null where it
  // can; the text is copied. Asked once per call. Null: it always can.
  const char* (*misfit)(void* context, const keylens_score_shape* shape);

  // Called once, when neither a handle nor options hold the mask; not where
  // keylens_custom_mask fails. Null: nothing to do.
  void (*destroy)(void* context);
} keylens_mask_functions;

keylens_status keylens_custom_mask(const keylens_mask_functions* functions,
                                   keylens_mask** mask);

// --- Score mods (keylens/score_mod.h) ---

typedef struct keylens_score_mod keylens_score_mod;

void keylens_score_mod_destroy(keylens_score_mod* mod);

// Adds bias [batch, num_heads, query_len, kv_len] (float; axes of length 1
// broadcast). keylens_attention_backward writes the gradient by it to
// `gradient`, of the same shape; null: not wanted. Neither is copied: both must
// stay during every call that uses the mod.
keylens_status keylens_additive_bias(const keylens_tensor* bias,
                                     const keylens_tensor* gradient,
                                     keylens_score_mod** mod);

// Subtracts slopes[head] * distance, one slope for each of num_heads query
// heads. Copied; null where num_heads is 0. keylens_attention_backward writes
// the gradient by them to `gradient`, num_heads floats, not copied; null: not
// wanted.
keylens_status keylens_alibi_bias(const float* slopes, int64_t num_heads,
                                  float* gradient, keylens_score_mod** mod);

// Writes the num_heads slopes of the paper to `slopes`.
keylens_status keylens_alibi_slopes(int64_t num_heads, float* slopes);

// cap * tanh(score / cap).
keylens_status keylens_soft_cap(float cap, keylens_score_mod** mod);

// Adds table[head][bucket(key - query)]: T5's. table: [num_heads, num_buckets],
// float, not copied. `gradient`: as for keylens_additive_bias. bidirectional: 0
// or 1, usually 1 in an encoder and 0 in a decoder; max_distance: usually 128.
keylens_status keylens_relative_position_bias(const keylens_tensor* table,
                                              const keylens_tensor* gradient,
                                              int32_t bidirectional,
                                              int64_t max_distance,
                                              keylens_score_mod** mod);

// Which tiles of a backward pass are handed to a mod one after the other.
typedef int32_t keylens_backward_order;
enum {
  KEYLENS_BACKWARD_ANY = 0,       // none: the mod adds nothing up
  KEYLENS_BACKWARD_BY_QUERY = 1,  // tiles of the same queries
  KEYLENS_BACKWARD_BY_KEY = 2,    // tiles of the same keys
  KEYLENS_BACKWARD_TOTAL = 3      // all: slow
};

// A score mod of the caller's own; set what is not needed to 0. `forward`,
// `backward` and `misfit` are called from several threads at once.
typedef struct keylens_score_mod_functions {
  void* context;  // handed to every function

  // Changes the scores in place; each may depend on itself and its place.
  void (*forward)(void* context, const keylens_score_tile* scores);

  // grad *= d(after) / d(before), where `before` holds the scores that forward
  // was given; an entry of grad that is 0 must stay 0. Null: a backward pass
  // with this mod is an invalid argument.
  void (*backward)(void* context, const keylens_score_tile* before,
                   const keylens_score_tile* grad);

  // For mods that learn, whose `backward` adds a gradient up: the order it
  // needs, and what to do before the first tile (null: nothing).
  keylens_backward_order backward_order;
  void (*begin_backward)(void* context, const keylens_score_shape* shape);

  // 1: `backward` does not look at `before`, whose data is then null. 0: it
  // does.
  int32_t backward_ignores_scores;

  // As those of keylens_mask_functions.
  const char* (*misfit)(void* context, const keylens_score_shape* shape);
  void (*destroy)(void* context);
} keylens_score_mod_functions;

keylens_status keylens_custom_score_mod(
    const keylens_score_mod_functions* functions, keylens_score_mod** mod);

// --- Options (AttentionOptions of keylens/attention.h) ---

typedef struct keylens_options keylens_options;

// Options as they are where a call is given none: scale 1/sqrt(head_dim), no
// mask, no score mods, no sinks, no dropout, all threads.
// Values are checked by the calls that use them.
keylens_status keylens_options_create(keylens_options** options);
void keylens_options_destroy(keylens_options* options);

keylens_status keylens_options_set_scale(keylens_options* options, float scale);
keylens_status keylens_options_set_default_scale(keylens_options* options);

// Null: none.
keylens_status keylens_options_set_mask(keylens_options* options,
                                        const keylens_mask* mask);

// Score mods are applied in the order in which they were added, before the
// mask.
keylens_status keylens_options_add_score_mod(keylens_options* options,
                                             const keylens_score_mod* mod);
keylens_status keylens_options_clear_score_mods(keylens_options* options);

// For each query head one more logit, which takes weight and gives no value.
// Copied; null and 0: none.
keylens_status keylens_options_set_sinks(keylens_options* options,
                                         const float* sinks, int64_t num_heads);

// keylens/dropout.h.
keylens_status keylens_options_set_dropout(keylens_options* options,
                                           float probability, uint64_t seed);

// 0: all, that is as many as OpenMP gives or, in a build without OpenMP, one
// for each core that the process may use.
keylens_status keylens_options_set_num_threads(keylens_options* options,
                                               int32_t num_threads);

// 1 or 0 to `keeps`: whether dropout leaves that weight.
keylens_status keylens_dropout_keeps(float probability, uint64_t seed,
                                     int64_t batch, int64_t head, int64_t query,
                                     int64_t key, int32_t* keeps);

// --- Attention (keylens/attention.h, keylens/inspection.h) ---
//
// `element` is the type of the tensors that are not said to have another.
// `options` may be null: the defaults.

typedef struct keylens_attention_inputs {
  keylens_tensor query;  // [batch, num_heads, query_len, head_dim]
  keylens_tensor key;    // [batch, num_kv_heads, kv_len, head_dim]
  keylens_tensor value;  // [batch, num_kv_heads, kv_len, value_dim]
} keylens_attention_inputs;

typedef struct keylens_attention_outputs {
  keylens_tensor out;        // [batch, num_heads, query_len, value_dim]
  keylens_tensor logsumexp;  // [batch, num_heads, query_len], float; or none
} keylens_attention_outputs;

#define KEYLENS_TO_THE_END (-1)

// What to report about the weights, and where to put it. A tensor that is none
// (or whose data is null) was not asked for. Begin with
// keylens_inspection_of_nothing(): a struct of zeros asks for no rows.
typedef struct keylens_inspection {
  // The rows [first_query_row, end_query_row) that `weights` covers.
  int64_t first_query_row;
  int64_t end_query_row;   // KEYLENS_TO_THE_END: all that there are
  keylens_tensor weights;  // [batch, num_heads, rows, kv_len], float

  keylens_tensor entropy;      // [batch, num_heads, query_len], float, nats
  keylens_tensor key_mass;     // [batch, num_heads, kv_len], float
  keylens_tensor top_keys;     // [batch, num_heads, query_len, k], int64_t
  keylens_tensor top_weights;  // [batch, num_heads, query_len, k], float

  // The weights summed over groups: the group of each of query_len queries and
  // kv_len keys; -1 leaves one out.
  const int32_t* query_group;
  int64_t query_group_size;
  const int32_t* key_group;
  int64_t key_group_size;
  keylens_tensor pooled;  // [batch, num_heads, query groups, key groups], float

  // [batch, num_heads, query_len + kv_len - 1], float: the weights summed by
  // offset; that of key j for query i is at j - i + query_len - 1.
  keylens_tensor offset_mass;
} keylens_inspection;

keylens_inspection keylens_inspection_of_nothing(void);

// inspection: null for no statistics.
keylens_status keylens_attention_forward(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_options* options, const keylens_attention_outputs* outputs,
    const keylens_inspection* inspection);

// Gradients, overwritten; one that is none (or whose data is null) is not
// wanted.
typedef struct keylens_attention_gradients {
  keylens_tensor query;  // each of the shape of the input
  keylens_tensor key;
  keylens_tensor value;
  keylens_tensor sinks;  // [num_heads], float

  // The positive part of weight times gradient, summed over groups, which are
  // given as in keylens_inspection.
  const int32_t* query_group;
  int64_t query_group_size;
  const int32_t* key_group;
  int64_t key_group_size;
  keylens_tensor relevance;  // [batch, num_heads, query groups, key groups],
                             // float
} keylens_attention_gradients;

// forward: what keylens_attention_forward wrote for the same inputs and
// options, logsumexp included. out_grad: the gradient by `out`, of its shape.
keylens_status keylens_attention_backward(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_options* options, const keylens_attention_outputs* forward,
    const keylens_tensor* out_grad,
    const keylens_attention_gradients* gradients);

// The statistics alone, from the logsumexp of an earlier forward pass.
// inputs->value may be none.
keylens_status keylens_attention_inspect(keylens_element element,
                                         const keylens_attention_inputs* inputs,
                                         const keylens_options* options,
                                         const keylens_tensor* logsumexp,
                                         const keylens_inspection* inspection);

// The outputs of attention over all keys, from those over `count` disjoint sets
// of them, each with its logsumexp. num_threads: 0 for all.
keylens_status keylens_merge_attention(keylens_element element,
                                       const keylens_attention_outputs* parts,
                                       int64_t count,
                                       const keylens_attention_outputs* merged,
                                       int32_t num_threads);

// --- Packed sequences (keylens/packed_sequences.h) ---

// Sequence s has the queries [query[s], query[s + 1]) and the keys [key[s],
// key[s + 1]); both arrays have num_sequences + 1 entries.
typedef struct keylens_sequence_offsets {
  const int64_t* query;
  const int64_t* key;
  int64_t num_sequences;
} keylens_sequence_offsets;

keylens_status keylens_attention_forward_packed(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_sequence_offsets* offsets, const keylens_options* options,
    const keylens_attention_outputs* outputs);

// gradients->relevance must be none.
keylens_status keylens_attention_backward_packed(
    keylens_element element, const keylens_attention_inputs* inputs,
    const keylens_sequence_offsets* offsets, const keylens_options* options,
    const keylens_attention_outputs* forward, const keylens_tensor* out_grad,
    const keylens_attention_gradients* gradients);

// --- Decoding (keylens/key_value_cache.h) ---

typedef struct keylens_key_value_cache keylens_key_value_cache;

typedef struct keylens_key_value_cache_options {
  int64_t num_kv_heads;
  int64_t head_dim;
  int64_t value_dim;        // 0: as head_dim
  keylens_element element;  // how the cache stores: any, KEYLENS_INT8 too
  int64_t page_len;         // a power of two up to 256; 64 is usual
} keylens_key_value_cache_options;

keylens_status keylens_key_value_cache_create(
    const keylens_key_value_cache_options* options,
    keylens_key_value_cache** cache);
void keylens_key_value_cache_destroy(keylens_key_value_cache* cache);

// The number of a new sequence: empty, or with what `sequence` holds now.
keylens_status keylens_key_value_cache_add(keylens_key_value_cache* cache,
                                           int64_t* sequence);
keylens_status keylens_key_value_cache_fork(keylens_key_value_cache* cache,
                                            int64_t sequence, int64_t* fork);

keylens_status keylens_key_value_cache_remove(keylens_key_value_cache* cache,
                                              int64_t sequence);

// The number of keys of a sequence.
keylens_status keylens_key_value_cache_length(
    const keylens_key_value_cache* cache, int64_t sequence, int64_t* length);

// Puts n keys and values at the end: [num_kv_heads, n, head_dim] and
// [num_kv_heads, n, value_dim]. `element` is theirs, whatever the cache stores.
keylens_status keylens_key_value_cache_append(keylens_key_value_cache* cache,
                                              int64_t sequence,
                                              keylens_element element,
                                              const keylens_tensor* key,
                                              const keylens_tensor* value);

// The memory of all pages, in bytes.
keylens_status keylens_key_value_cache_memory(
    const keylens_key_value_cache* cache, int64_t* bytes);

// Attention of batch entry b of `query` [batch, num_heads, query_len, head_dim]
// over sequence sequences[b]; num_sequences must be the batch. `element` is
// that of query and out.
keylens_status keylens_attention_decode(
    keylens_element element, const keylens_tensor* query,
    const keylens_key_value_cache* cache, const int64_t* sequences,
    int64_t num_sequences, const keylens_options* options,
    const keylens_attention_outputs* outputs);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // KEYLENS_KEYLENS_H_
