#ifndef KEYLENS_SRC_INSPECT_ATTENTION_INPUTS_H_
#define KEYLENS_SRC_INSPECT_ATTENTION_INPUTS_H_

#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/inspect/array.h"

namespace keylens::inspect {

// How the axes of an array of queries or keys come; the batch may be missing,
// and with it a single head's axis.
enum class AxisOrder {
  kHeadsFirst,  // [batch, heads, len, dim], as torch and Keylens have it
  kLengthFirst  // [batch, len, heads, dim], as FlashAttention and JAX have it
};

enum class MaskKind { kNone, kCausal, kArray };

// What a call of attention is made of, besides values.
struct AttentionSources {
  Array query;
  Array key;
  AxisOrder order = AxisOrder::kHeadsFirst;
  MaskKind mask = MaskKind::kNone;
  // True where a query may see a key: [query_len, kv_len], [heads, ...] or
  // [batch, heads, ...], each axis as long as that of the scores or 1.
  std::optional<Array> mask_array = {};
  std::optional<float> scale = {};
};

// The numbers of all queries or all keys, as the engine takes them.
struct HeadVectors {
  std::array<int64_t, 4> shape{};  // [batch, heads, len, dim]
  std::array<int64_t, 4> strides{};
  ElementType type = ElementType::kFloat32;  // float32, bfloat16 or float16
  const std::byte* data = nullptr;
  std::vector<float> converted;  // what `data` points to, where it was needed

  // Of one batch entry.
  template <typename T>
  TensorView<const T, 4> Entry(int64_t batch) const {
    return {reinterpret_cast<const T*>(data) + batch * strides[0],
            {1, shape[1], shape[2], shape[3]},
            strides};
  }
};

// The sources, checked and with their axes in order. Element types that the
// engine knows are read where they lie; others, and queries and keys that
// differ in type, become float32.
class AttentionInputsOfFiles {
 public:
  // Throws Error, naming files and shapes, for what does not go together.
  explicit AttentionInputsOfFiles(AttentionSources sources);

  const AttentionSources& sources() const { return sources_; }
  const HeadVectors& query() const { return query_; }
  const HeadVectors& key() const { return key_; }
  int64_t batch() const { return query_.shape[0]; }
  int64_t heads() const { return query_.shape[1]; }
  int64_t kv_heads() const { return key_.shape[1]; }
  int64_t query_len() const { return query_.shape[2]; }
  int64_t kv_len() const { return key_.shape[2]; }
  float scale() const;

  // Key i + offset stands beside query i: a shorter text of queries is the end
  // of that of the keys (a causal mask counts so, too).
  int64_t KeyBeside() const { return kv_len() - query_len(); }

  // The mask of one batch entry; null: none. Views the array's memory.
  std::unique_ptr<Mask> MaskOf(int64_t entry) const;

  // How many keys each query of a head may see: [heads, query_len].
  std::vector<int64_t> LiveKeys(int64_t entry) const;

 private:
  void CheckMask() const;
  TensorView<const bool, 4> MaskView(int64_t entry) const;

  AttentionSources sources_;
  HeadVectors query_;
  HeadVectors key_;
};

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_ATTENTION_INPUTS_H_
