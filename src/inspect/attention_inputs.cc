#include "src/inspect/attention_inputs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"

namespace keylens::inspect {
namespace {

bool EngineKnows(ElementType type) {
  return type == ElementType::kFloat32 || type == ElementType::kFloat16 ||
         type == ElementType::kBFloat16;
}

const char* AxesText(AxisOrder order) {
  return order == AxisOrder::kHeadsFirst
             ? "[heads, len, dim] or [batch, heads, len, dim]"
             : "[len, heads, dim] or [batch, len, heads, dim]";
}

// Shape and strides as [batch, heads, len, dim].
void SetAxes(const Array& array, AxisOrder order, HeadVectors& vectors) {
  if (array.rank() < 2 || array.rank() > 4) {
    throw Error(Describe(array) + ", where " + AxesText(order) +
                " is needed (or [len, dim] of a single head)");
  }
  vectors.shape = {1, 1, 1, 1};
  vectors.strides = {0, 0, 0, 0};
  for (int64_t axis = 0; axis < array.rank(); ++axis) {
    const auto from = static_cast<std::size_t>(axis);
    const auto to = static_cast<std::size_t>(4 - array.rank() + axis);
    vectors.shape[to] = array.shape[from];
    vectors.strides[to] = array.strides[from];
  }
  if (order == AxisOrder::kLengthFirst && array.rank() > 2) {
    std::swap(vectors.shape[1], vectors.shape[2]);
    std::swap(vectors.strides[1], vectors.strides[2]);
  }
  if (std::ranges::count(vectors.shape, 0) > 0)
    throw Error(Describe(array) + " has no elements");
}

HeadVectors VectorsOf(const Array& array, AxisOrder order, ElementType type) {
  HeadVectors vectors;
  SetAxes(array, order, vectors);
  vectors.type = type;
  vectors.data = array.bytes.data();
  if (array.type != type || !IsAligned(array)) {
    vectors.converted = FloatsOf(array);
    vectors.type = ElementType::kFloat32;
    vectors.data = reinterpret_cast<const std::byte*>(vectors.converted.data());
  }
  return vectors;
}

// What both become.
ElementType CommonType(const Array& query, const Array& key) {
  const bool as_they_are = query.type == key.type && EngineKnows(query.type) &&
                           IsAligned(query) && IsAligned(key);
  return as_they_are ? query.type : ElementType::kFloat32;
}

}  // namespace

AttentionInputsOfFiles::AttentionInputsOfFiles(AttentionSources sources)
    : sources_(std::move(sources)) {
  const Array& query = sources_.query;
  const Array& key = sources_.key;
  const ElementType type = CommonType(query, key);
  query_ = VectorsOf(query, sources_.order, type);
  key_ = VectorsOf(key, sources_.order, type);
  const std::string both = Describe(query) + " and " + Describe(key);
  if (query_.shape[3] != key_.shape[3])
    throw Error(both + " differ in dim, the last axis");
  if (query_.shape[0] != key_.shape[0])
    throw Error(both + " differ in batch, the first axis");
  if (heads() % kv_heads() != 0) {
    throw Error(both + ": " + std::to_string(heads()) +
                " heads of queries are no multiple of " +
                std::to_string(kv_heads()) + " heads of keys; the axes are " +
                AxesText(sources_.order));
  }
  CheckMask();
}

float AttentionInputsOfFiles::scale() const {
  return sources_.scale.value_or(
      1.0f / std::sqrt(static_cast<float>(query_.shape[3])));
}

void AttentionInputsOfFiles::CheckMask() const {
  if (sources_.mask != MaskKind::kArray) return;
  const Array& mask = *sources_.mask_array;
  if (mask.type != ElementType::kBool && mask.type != ElementType::kUInt8) {
    throw Error(Describe(mask) +
                ", where booleans are needed, True where a query may see a "
                "key; of a mask that is added to scores, save (mask == 0)");
  }
  if (std::ranges::any_of(mask.bytes,
                          [](std::byte b) { return b > std::byte{1}; }))
    throw Error(mask.place + ": a mask has 0 and 1 alone");
  const std::array<int64_t, 4> scores = {batch(), heads(), query_len(),
                                         kv_len()};
  bool fits = mask.rank() >= 2 && mask.rank() <= 4;
  for (int64_t axis = 0; fits && axis < mask.rank(); ++axis) {
    const int64_t size = mask.shape[static_cast<std::size_t>(axis)];
    const auto of_scores = static_cast<std::size_t>(4 - mask.rank() + axis);
    fits = size == 1 || size == scores[of_scores];
  }
  if (!fits) {
    throw Error(Describe(mask) +
                " does not fit scores [batch, heads, query_len, kv_len] = " +
                ShapeText({scores.begin(), scores.end()}) +
                "; each axis, from the last, is as long or 1");
  }
}

TensorView<const bool, 4> AttentionInputsOfFiles::MaskView(
    int64_t entry) const {
  const Array& mask = *sources_.mask_array;
  TensorView<const bool, 4> view;
  view.shape = {1, 1, 1, 1};
  for (int64_t axis = 0; axis < mask.rank(); ++axis) {
    const auto to = static_cast<std::size_t>(4 - mask.rank() + axis);
    const auto from = static_cast<std::size_t>(axis);
    view.shape[to] = mask.shape[from];
    view.strides[to] = mask.shape[from] == 1 ? 0 : mask.strides[from];
  }
  view.data = reinterpret_cast<const bool*>(mask.bytes.data()) +
              entry * view.strides[0];
  view.shape[0] = 1;
  return view;
}

std::unique_ptr<Mask> AttentionInputsOfFiles::MaskOf(int64_t entry) const {
  switch (sources_.mask) {
    case MaskKind::kCausal:
      return CausalMask(CausalAlignment::kBottomRight);
    case MaskKind::kArray:
      return DenseMask(MaskView(entry));
    case MaskKind::kNone:
      break;
  }
  return nullptr;
}

std::vector<int64_t> AttentionInputsOfFiles::LiveKeys(int64_t entry) const {
  std::vector<int64_t> live(static_cast<std::size_t>(heads() * query_len()),
                            kv_len());
  if (sources_.mask == MaskKind::kNone) return live;
  const bool causal = sources_.mask == MaskKind::kCausal;
  const TensorView<const bool, 4> view =
      causal ? TensorView<const bool, 4>{} : MaskView(entry);
  for (int64_t i = 0; i < query_len(); ++i) {
    for (int64_t head = 0; head < heads(); ++head) {
      int64_t& count = live[static_cast<std::size_t>(head * query_len() + i)];
      if (causal) {
        count = std::clamp<int64_t>(i + KeyBeside() + 1, 0, kv_len());
      } else if (head > 0 && view.shape[1] == 1) {
        count = live[static_cast<std::size_t>(i)];
      } else {
        const bool* row =
            view.data + head * view.strides[1] + i * view.strides[2];
        count = 0;
        for (int64_t j = 0; j < kv_len(); ++j)
          count += row[j * view.strides[3]];
      }
    }
  }
  return live;
}

}  // namespace keylens::inspect
