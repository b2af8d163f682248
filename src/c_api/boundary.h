#ifndef KEYLENS_SRC_C_API_BOUNDARY_H_
#define KEYLENS_SRC_C_API_BOUNDARY_H_

#include <keylens/keylens.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

// Where exceptions end and statuses begin.

namespace keylens::c_api {

// An argument that C lets through and C++ would not: a null pointer, a rank, a
// constant that is none. The text does not name the function; the boundary
// does.
class InvalidCall : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Called in a handler: the status of the exception, whose text becomes that of
// keylens_last_error(), starting with `function`.
keylens_status Report(const char* function) noexcept;

// Runs the body of the C function of that name.
template <typename Body>
keylens_status Guarded(const char* function, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return KEYLENS_OK;
  } catch (...) {
    return Report(function);
  }
}

// *pointer, for a parameter that may not be null.
template <typename T>
T& Required(const char* name, T* pointer) {
  if (pointer == nullptr) throw InvalidCall(std::string(name) + " is null");
  return *pointer;
}

// An array and its length; null only where that is 0.
template <typename T>
std::span<T> Array(const char* name, T* data, int64_t size) {
  if (size < 0) {
    throw InvalidCall("the size of " + std::string(name) + " is " +
                      std::to_string(size));
  }
  if (size > 0) Required(name, data);
  return {data, static_cast<std::size_t>(size)};
}

// Makes a handle: writes what `make` returns to `*handle`, which is null where
// anything goes wrong. Memory for the handle is taken before `make` is called.
template <typename Handle, typename Make>
keylens_status MakeHandle(const char* function, const char* name,
                          Handle** handle, Make&& make) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return Guarded(function, [&] {
    Handle*& place = Required(name, handle);
    place = new Handle{std::forward<Make>(make)()};
  });
}

}  // namespace keylens::c_api

#endif  // KEYLENS_SRC_C_API_BOUNDARY_H_
