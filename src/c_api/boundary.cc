#include "src/c_api/boundary.h"

#include <cstdio>
#include <cstring>
#include <new>

namespace keylens::c_api {
namespace {

// Of a size that a failure for want of memory does not need more of.
thread_local char last_error[1024] = "";

void SetLastError(const char* function, const char* what) {
  std::snprintf(last_error, sizeof(last_error), "%s: %s", function, what);
}

// The text without the name of the C++ function that it starts with.
const char* AfterFunctionName(const char* what) {
  const char* end = std::strstr(what, ": ");
  return end == nullptr ? what : end + 2;
}

}  // namespace

keylens_status Report(const char* function) noexcept {
  try {
    throw;
  } catch (const InvalidCall& error) {
    SetLastError(function, error.what());
    return KEYLENS_INVALID_ARGUMENT;
  } catch (const std::invalid_argument& error) {
    SetLastError(function, AfterFunctionName(error.what()));
    return KEYLENS_INVALID_ARGUMENT;
  } catch (const std::bad_alloc&) {
    SetLastError(function, "out of memory");
    return KEYLENS_OUT_OF_MEMORY;
  } catch (const std::length_error&) {  // more than any memory holds
    SetLastError(function, "out of memory");
    return KEYLENS_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    SetLastError(function, error.what());
    return KEYLENS_INTERNAL_ERROR;
  } catch (...) {
    SetLastError(function, "an exception of unknown type");
    return KEYLENS_INTERNAL_ERROR;
  }
}

}  // namespace keylens::c_api

extern "C" const char* keylens_last_error(void) {
  return keylens::c_api::last_error;
}
