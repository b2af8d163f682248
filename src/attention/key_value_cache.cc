#include <keylens/key_value_cache.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "src/attention/cache_state.h"
#include "src/attention/door/argument_checker.h"

namespace keylens {
namespace internal {
namespace {

int64_t BytesOf(CacheElement element) {
  switch (element) {
    case CacheElement::kFloat32:
      return 4;
    case CacheElement::kBFloat16:
    case CacheElement::kFloat16:
      return 2;
    case CacheElement::kInt8:
      return 1;
  }
  return 0;
}

KeyValueCacheOptions Checked(KeyValueCacheOptions options) {
  const ArgumentChecker checker("KeyValueCache");
  if (options.value_dim == 0) options.value_dim = options.head_dim;
  if (options.num_kv_heads < 1 || options.head_dim < 1 ||
      options.value_dim < 1) {
    checker.Fail("num_kv_heads " + std::to_string(options.num_kv_heads) +
                 ", head_dim " + std::to_string(options.head_dim) +
                 " and value_dim " + std::to_string(options.value_dim) +
                 " must be at least 1");
  }
  const int64_t len = options.page_len;
  if (len < 1 || len > kBlockKeys || (len & (len - 1)) != 0) {
    checker.Fail("page_len " + std::to_string(len) +
                 " is no power of two from 1 to " + std::to_string(kBlockKeys));
  }
  return options;
}

// A row of a key or value as the caller has it.
template <typename T>
struct Row {
  const T* data;
  int64_t size;
  int64_t stride;

  float operator[](int64_t c) const {
    return static_cast<float>(data[c * stride]);
  }
};

template <typename E, typename T>
void StoreRow(const Row<T>& row, std::byte* to) {
  auto* elements = reinterpret_cast<E*>(to);
  for (int64_t c = 0; c < row.size; ++c) elements[c] = static_cast<E>(row[c]);
}

// largest / 127; of the largest floats a little less, so that reading them back
// does not overflow.
float Int8Scale(float largest) {
  const float scale = largest / 127.0f;
  return std::isinf(scale * 127.0f) ? std::nextafter(scale, 0.0f) : scale;
}

// Elements of the smallest rows, whose scale is a denormal number, which has
// few bits, or 0, and has no reciprocal among the floats.
template <typename T>
void StoreTiny(const Row<T>& row, float scale, int8_t* elements) {
  const double inverse = scale > 0.0f ? 1.0 / scale : 0.0;
  for (int64_t c = 0; c < row.size; ++c) {
    const double element = std::clamp(row[c] * inverse, -127.0, 127.0);
    elements[c] = static_cast<int8_t>(std::lrint(element));
  }
}

template <typename T>
void StoreInt8(const Row<T>& row, std::byte* to, std::byte* scale_to) {
  auto* elements = reinterpret_cast<int8_t*>(to);
  float largest = 0.0f;
  for (int64_t c = 0; c < row.size; ++c)
    largest = std::max(largest, std::abs(row[c]));
  const float scale = Int8Scale(largest);
  std::memcpy(scale_to, &scale, sizeof(scale));
  if (scale < std::numeric_limits<float>::min())
    return StoreTiny(row, scale, elements);
  const float inverse = 127.0f / largest;
  for (int64_t c = 0; c < row.size; ++c)
    elements[c] = static_cast<int8_t>(std::lrint(row[c] * inverse));
}

// Appends one key or value to a page.
template <typename T>
void Store(CacheElement element, const Row<T>& row, std::byte* to,
           std::byte* scale_to) {
  switch (element) {
    case CacheElement::kFloat32:
      return StoreRow<float>(row, to);
    case CacheElement::kBFloat16:
      return StoreRow<BFloat16>(row, to);
    case CacheElement::kFloat16:
      return StoreRow<Float16>(row, to);
    case CacheElement::kInt8:
      return StoreInt8(row, to, scale_to);
  }
}

template <typename T>
Row<T> RowAt(const TensorView<const T, 3>& view, int64_t head, int64_t i) {
  return {view.data + head * view.strides[0] + i * view.strides[1],
          view.shape[2], view.strides[2]};
}

template <typename T>
bool IsFinite(const TensorView<const T, 3>& view) {
  for (int64_t head = 0; head < view.shape[0]; ++head) {
    for (int64_t i = 0; i < view.shape[1]; ++i) {
      const Row<T> row = RowAt(view, head, i);
      for (int64_t c = 0; c < row.size; ++c)
        if (!std::isfinite(row[c])) return false;
    }
  }
  return true;
}

template <typename T>
void CheckAppend(const KeyValueCacheOptions& options,
                 const TensorView<const T, 3>& key,
                 const TensorView<const T, 3>& value) {
  ArgumentChecker checker("KeyValueCache::Append");
  checker.Reads("key", key);
  checker.Reads("value", value);
  const int64_t n = key.shape[1];
  checker.RequireShape(
      "key", key.shape,
      std::array<int64_t, 3>{options.num_kv_heads, n, options.head_dim},
      "num_kv_heads, n, head_dim");
  checker.RequireShape(
      "value", value.shape,
      std::array<int64_t, 3>{options.num_kv_heads, n, options.value_dim},
      "num_kv_heads, n of the keys, value_dim");
  if (options.element == CacheElement::kInt8 &&
      !(IsFinite(key) && IsFinite(value))) {
    checker.Fail("an element is not finite, and 8 bits hold no such number");
  }
}

// The page that the sequence's next key goes to, for it alone: a new one, or a
// copy of one that is shared.
std::byte* OwnLastPage(const KeyValueCacheOptions& options,
                       const PageLayout& layout, CachedSequence& sequence) {
  if (sequence.length % options.page_len == 0) {
    sequence.pages.push_back(std::make_shared<Page>(layout.bytes));
  } else if (sequence.pages.back().use_count() > 1) {
    auto copy = std::make_shared<Page>(layout.bytes);
    std::memcpy(copy->get(), sequence.pages.back()->get(),
                static_cast<std::size_t>(layout.bytes));
    sequence.pages.back() = std::move(copy);
  }
  return sequence.pages.back()->get();
}

}  // namespace

PageLayout::PageLayout(const KeyValueCacheOptions& options) {
  constexpr int64_t kLine = 64;  // each part starts on a cache line
  const int64_t rows = options.num_kv_heads * options.page_len;
  element_bytes = BytesOf(options.element);
  values = RoundUp(rows * options.head_dim * element_bytes, kLine);
  key_scales =
      values + RoundUp(rows * options.value_dim * element_bytes, kLine);
  const int64_t scale_bytes =
      options.element == CacheElement::kInt8
          ? RoundUp(rows * static_cast<int64_t>(sizeof(float)), kLine)
          : 0;
  value_scales = key_scales + scale_bytes;
  bytes = value_scales + scale_bytes;
}

}  // namespace internal

using internal::CachedSequence;

KeyValueCache::State::State(const KeyValueCacheOptions& settings)
    : options(internal::Checked(settings)), layout(options) {}

const CachedSequence& KeyValueCache::State::Find(const char* function,
                                                 int64_t sequence) const {
  const auto found = sequences.find(sequence);
  if (found != sequences.end()) return found->second;
  throw std::invalid_argument(std::string(function) + ": no sequence " +
                              std::to_string(sequence));
}

CachedSequence& KeyValueCache::State::Find(const char* function,
                                           int64_t sequence) {
  return const_cast<CachedSequence&>(
      std::as_const(*this).Find(function, sequence));
}

KeyValueCache::KeyValueCache(const KeyValueCacheOptions& options)
    : state_(std::make_unique<State>(options)) {}
KeyValueCache::~KeyValueCache() = default;
KeyValueCache::KeyValueCache(KeyValueCache&&) noexcept = default;
KeyValueCache& KeyValueCache::operator=(KeyValueCache&&) noexcept = default;

const KeyValueCacheOptions& KeyValueCache::options() const {
  return state_->options;
}

int64_t KeyValueCache::Add() {
  state_->sequences[state_->next_sequence];
  return state_->next_sequence++;
}

int64_t KeyValueCache::Fork(int64_t sequence) {
  CachedSequence copy = state_->Find("KeyValueCache::Fork", sequence);
  state_->sequences[state_->next_sequence] = std::move(copy);
  return state_->next_sequence++;
}

void KeyValueCache::Remove(int64_t sequence) {
  state_->Find("KeyValueCache::Remove", sequence);
  state_->sequences.erase(sequence);
}

int64_t KeyValueCache::Length(int64_t sequence) const {
  return std::as_const(*state_).Find("KeyValueCache::Length", sequence).length;
}

template <typename T>
void KeyValueCache::Append(int64_t sequence,
                           std::type_identity_t<TensorView<const T, 3>> key,
                           std::type_identity_t<TensorView<const T, 3>> value) {
  const KeyValueCacheOptions& options = state_->options;
  const internal::PageLayout& layout = state_->layout;
  CachedSequence& to = state_->Find("KeyValueCache::Append", sequence);
  internal::CheckAppend(options, key, value);
  constexpr auto kScale = static_cast<int64_t>(sizeof(float));
  for (int64_t i = 0; i < key.shape[1]; ++i) {
    std::byte* page = internal::OwnLastPage(options, layout, to);
    for (int64_t head = 0; head < options.num_kv_heads; ++head) {
      const int64_t row =
          head * options.page_len + to.length % options.page_len;
      internal::Store(options.element, internal::RowAt(key, head, i),
                      page + row * options.head_dim * layout.element_bytes,
                      page + layout.key_scales + row * kScale);
      internal::Store(
          options.element, internal::RowAt(value, head, i),
          page + layout.values + row * options.value_dim * layout.element_bytes,
          page + layout.value_scales + row * kScale);
    }
    ++to.length;
  }
}

int64_t KeyValueCache::MemoryBytes() const {
  std::set<const internal::Page*> pages;
  for (const auto& [number, sequence] : state_->sequences) {
    for (const auto& page : sequence.pages) pages.insert(page.get());
  }
  return static_cast<int64_t>(pages.size()) * state_->layout.bytes;
}

template void KeyValueCache::Append<float>(int64_t, TensorView<const float, 3>,
                                           TensorView<const float, 3>);
template void KeyValueCache::Append<BFloat16>(int64_t,
                                              TensorView<const BFloat16, 3>,
                                              TensorView<const BFloat16, 3>);
template void KeyValueCache::Append<Float16>(int64_t,
                                             TensorView<const Float16, 3>,
                                             TensorView<const Float16, 3>);

}  // namespace keylens
