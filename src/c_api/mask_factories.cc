#include <keylens/mask.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/c_api/handles.h"
#include "src/c_api/tensors.h"

namespace keylens::c_api {
namespace {

// Makes a mask by the C function of that name.
template <typename Make>
keylens_status MakeMask(const char* function, keylens_mask** mask,
                        Make&& make) noexcept {
  return MakeHandle(function, "mask", mask, [&] {
    return keylens_mask{std::shared_ptr<const Mask>(make())};
  });
}

CausalAlignment ToAlignment(keylens_alignment alignment) {
  switch (alignment) {
    case KEYLENS_TOP_LEFT:
      return CausalAlignment::kTopLeft;
    case KEYLENS_BOTTOM_RIGHT:
      return CausalAlignment::kBottomRight;
    default:
      throw InvalidCall("alignment " + std::to_string(alignment) +
                        " is not KEYLENS_TOP_LEFT or KEYLENS_BOTTOM_RIGHT");
  }
}

template <typename T>
std::vector<T> Copied(const char* name, const T* data, int64_t size) {
  const auto array = Array(name, data, size);
  return {array.begin(), array.end()};
}

// A conjunction, and the masks it points to.
struct Conjunction {
  std::vector<std::shared_ptr<const Mask>> parts;
  std::unique_ptr<Mask> mask;
};

std::shared_ptr<const Mask> MakeConjunction(
    std::span<const keylens_mask* const> handles) {
  const auto all = std::make_shared<Conjunction>();
  std::vector<const Mask*> masks;
  for (const keylens_mask* handle : handles) {
    all->parts.push_back(Required("a mask", handle).mask);
    masks.push_back(handle->mask.get());
  }
  all->mask = AllOf(std::move(masks));
  return {all, all->mask.get()};
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::Copied;
using keylens::c_api::MakeMask;
using keylens::c_api::ToAlignment;

extern "C" {

void keylens_mask_destroy(keylens_mask* mask) { delete mask; }

keylens_status keylens_causal_mask(keylens_alignment alignment,
                                   keylens_mask** mask) {
  return MakeMask("keylens_causal_mask", mask,
                  [&] { return keylens::CausalMask(ToAlignment(alignment)); });
}

keylens_status keylens_sliding_window_mask(int64_t left, int64_t right,
                                           keylens_alignment alignment,
                                           keylens_mask** mask) {
  return MakeMask("keylens_sliding_window_mask", mask, [&] {
    return keylens::SlidingWindowMask(left, right, ToAlignment(alignment));
  });
}

keylens_status keylens_prefix_mask(int64_t prefix, keylens_mask** mask) {
  return MakeMask("keylens_prefix_mask", mask,
                  [&] { return keylens::PrefixMask(prefix); });
}

keylens_status keylens_document_mask(const int32_t* query_document,
                                     int64_t query_len,
                                     const int32_t* key_document,
                                     int64_t kv_len, keylens_mask** mask) {
  return MakeMask("keylens_document_mask", mask, [&] {
    return keylens::DocumentMask(
        Copied("query_document", query_document, query_len),
        Copied("key_document", key_document, kv_len));
  });
}

keylens_status keylens_key_padding_mask(const int64_t* live_keys, int64_t batch,
                                        keylens_mask** mask) {
  return MakeMask("keylens_key_padding_mask", mask, [&] {
    return keylens::KeyPaddingMask(Copied("live_keys", live_keys, batch));
  });
}

keylens_status keylens_dense_mask(const keylens_tensor* live,
                                  keylens_mask** mask) {
  static_assert(sizeof(bool) == 1, "C's bool is said to be a byte");
  return MakeMask("keylens_dense_mask", mask, [&] {
    return keylens::DenseMask(keylens::c_api::ToView<const bool, 4>(
        "live", keylens::c_api::Required("live", live)));
  });
}

keylens_status keylens_all_of(const keylens_mask* const* masks, int64_t count,
                              keylens_mask** mask) {
  return MakeMask("keylens_all_of", mask, [&] {
    return keylens::c_api::MakeConjunction(
        keylens::c_api::Array("masks", masks, count));
  });
}

}  // extern "C"
