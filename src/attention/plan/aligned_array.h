#ifndef KEYLENS_SRC_ATTENTION_PLAN_ALIGNED_ARRAY_H_
#define KEYLENS_SRC_ATTENTION_PLAN_ALIGNED_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace keylens::internal {

// Uninitialised memory on a cache line boundary, which is also the widest
// vector's.
template <typename T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(int64_t size)
      : data_(static_cast<T*>(::operator new(
            static_cast<std::size_t>(size) * sizeof(T), kAlignment))) {}

  T* get() const { return data_.get(); }
  T& operator[](int64_t i) const { return data_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* data) const { ::operator delete(data, kAlignment); }
  };

  std::unique_ptr<T[], Free> data_;
};

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_ALIGNED_ARRAY_H_
