#ifndef KEYLENS_ENGINE_H_
#define KEYLENS_ENGINE_H_

// The whole engine in one include.
#include <keylens/attention.h>
#include <keylens/dropout.h>
#include <keylens/inspection.h>
#include <keylens/key_value_cache.h>
#include <keylens/mask.h>
#include <keylens/packed_sequences.h>
#include <keylens/score_mod.h>
#include <keylens/small_float.h>
#include <keylens/tensor_view.h>

#endif  // KEYLENS_ENGINE_H_
